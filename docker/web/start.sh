#!/bin/bash
# Starts nginx: 80, 443 (good certificate), 8443 expired, 8444 self-signed, 8445 for another name.
set -euo pipefail
start-certificates.sh
truncate -s 1G /srv/web/sparse-1g.bin
exec nginx -g 'daemon off;'
