#!/bin/bash
# Fills INN's spool, by a server that runs for a moment, and sn's.
set -euo pipefail
bin=/usr/lib/news/bin
news() { setpriv --reuid=news --regid=news --clear-groups "$@"; }

# --- INN -------------------------------------------------------------------------------------------------------------------
mkdir -p /var/spool/news/{articles,archive,overview,outgoing,innfeed,incoming/tmp,incoming/bad} /var/lib/news \
  /var/log/news/OLD /run/news /etc/news/tls
printf '%s 0000000000 0000000001 n\n' control control.cancel junk >/var/lib/news/active
: >/var/lib/news/history
cut -f1 /etc/news/groups | sed 's/$/ 0000000000 0000000001 n/' >>/var/lib/news/active
cp /etc/news/groups /var/lib/news/newsgroups
touch /var/lib/news/active.times
printf 'alice:%s\n' "$(openssl passwd -5 wonderland)" >/etc/news/users
chown -R news:news /var/spool/news /var/lib/news /var/log/news /run/news /etc/news
chmod 640 /etc/news/users
news $bin/makedbz -i -o -s 20000
# innd takes loopback for a peer
news $bin/innd -f &
innd=$!
for _ in $(seq 50); do news $bin/ctlinnd -s mode 2>/dev/null && break; sleep 0.1; done
mkarticles.pl feed 1190
for number in 1 2 5 12; do news $bin/ctlinnd -s cancel "<expired-$number@fixture.test>"; done
news $bin/ctlinnd -s shutdown 'the spool is full'
wait $innd || true

# --- sn: snstore puts each article where its Newsgroups say ------------------------------------------------------------------
export SNROOT=/var/spool/sn
mkdir -p $SNROOT
echo sn.fixture.test >$SNROOT/.me
touch $SNROOT/.nopost
chown -R news:news $SNROOT
cut -f1 /etc/news/groups | grep -v ^private | while read -r group; do news /opt/sn/usr/sbin/snnewgroup "$group"; done
while IFS=$'\t' read -r group words; do
  if [ -d "$SNROOT/$group" ]; then printf '%s\n' "$words" | news tee "$SNROOT/$group/.info" >/dev/null; fi
done </etc/news/groups
mkarticles.pl batch | news /opt/sn/usr/sbin/snstore
