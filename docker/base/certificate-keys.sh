#!/bin/sh
# Makes the fixture certificate authority and the keys of the servers, once, when the image is built: keys are slow.
# The certificates themselves carry the container's address and are signed at start (start-certificates.sh).
set -eu
mkdir -p /etc/fixture-tls
cd /etc/fixture-tls
openssl req -x509 -newkey rsa:2048 -noenc -sha256 -days 3650 -keyout ca.key -out ca.pem \
  -subj '/CN=Retriever fixture CA' -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign'
openssl genrsa -out server.key 2048
