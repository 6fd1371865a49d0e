#!/bin/bash
# Starts INN's reader nnrpd on 119, 563 (TLS) and 1119 (login first), INN's innd on 1190, which takes the engine's gateway
# for a peer (transit mode until MODE READER), and sn on 2119.
set -euo pipefail
start-certificates.sh
# The servers look up their clients' names. No resolver at all refuses at once; one out of reach would cost seconds.
: >/etc/resolv.conf
bin=/usr/lib/news/bin
mkdir -p /run/news
cp /etc/fixture-tls/server.{pem,key} /etc/news/tls/
chown -R news:news /run/news /etc/news/tls
chmod 600 /etc/news/tls/server.key

# what /proc tells of the default route is hexadecimal, its octets reversed
gateway=$(awk '$2 == "00000000" { print $3 }' /proc/net/route | sed 's/\(..\)\(..\)\(..\)\(..\)/0x\4 0x\3 0x\2 0x\1/' | xargs printf '%d.%d.%d.%d')
printf 'streaming: true\nmax-connections: 50\npeer gateway {\n  hostname: "%s"\n}\n' "$gateway" >/etc/news/incoming.conf
setpriv --reuid=news --regid=news --clear-groups $bin/innd -f &

$bin/nnrpd -D -f -p 119 &
$bin/nnrpd -D -f -p 563 -S &
$bin/nnrpd -D -f -p 1119 -c readers-login.conf &

# sn's standard error is the socket under inetd: what it logs would come before the greeting
printf '#!/bin/sh\nexec env SNROOT=/var/spool/sn /opt/sn/usr/sbin/snntpd.bin 2>/dev/null\n' >/run/snntpd
chmod +x /run/snntpd
echo '2119 stream tcp nowait.4000 news /run/snntpd snntpd' >/run/inetd.conf
inetd -i /run/inetd.conf &
wait -n
