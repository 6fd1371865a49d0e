#!/bin/bash
# Starts inetutils telnetd on 23, netkit telnetd on 2323, and the same over TLS from the first octet on 992.
set -euo pipefail
# The servers look up their clients' names. No resolver at all refuses at once; one out of reach would cost seconds.
: >/etc/resolv.conf
start-certificates.sh
netkit=/opt/netkit/usr/sbin/in.telnetd
# netkit reads its certificate even where it secures nothing
certificate=/etc/fixture-tls/server-with-key.pem
cat >/run/inetd.conf <<END
23 stream tcp nowait.4000 root /usr/sbin/telnetd telnetd
2323 stream tcp nowait.4000 root $netkit in.telnetd -z nossl -z cert=$certificate -L /bin/login
992 stream tcp nowait.4000 root $netkit in.telnetd -z ssl -z cert=$certificate -L /bin/login
END
exec inetd -i /run/inetd.conf
