#!/bin/sh
# Signs the server's certificates for this container's own address, in /etc/fixture-tls:
#   server       good: fixture.test, localhost, 127.0.0.1 and the container's address
#   expired      the same names, ended yesterday
#   wronghost    good dates, names only other.test
#   selfsigned   the right names, signed by nobody we trust
# Each is NAME.pem beside the one key, server.key; the authority is ca.pem.
set -eu
cd /etc/fixture-tls
names="DNS:fixture.test,DNS:localhost,IP:127.0.0.1"
for address in $(hostname -I 2>/dev/null || true); do names="$names,IP:$address"; done

sign() { # NAME SUBJECT-ALTERNATIVE-NAMES DAYS
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n' "$2" >"$1.ext"
  openssl req -new -key server.key -subj "/CN=fixture $1" |
    openssl x509 -req -sha256 -CA ca.pem -CAkey ca.key -set_serial "0x$(openssl rand -hex 8)" \
      -days "$3" -extfile "$1.ext" -out "$1.pem" 2>/dev/null
}
sign server "$names" 3650
sign expired "$names" -1
sign wronghost DNS:other.test 3650
openssl req -x509 -key server.key -sha256 -days 3650 -subj '/CN=fixture selfsigned' -addext "subjectAltName=$names" \
  -out selfsigned.pem
cat server.key server.pem >server-with-key.pem
chmod 600 server.key server-with-key.pem
