#!/bin/bash
# Starts pygopherd (Gopher+) on 70 and gophernicus on 7070, both over /srv/gopher. Menus advertise the container's own
# address, so that a client can follow them.
set -euo pipefail
# The servers look up their clients' names. No resolver at all refuses at once; one out of reach would cost seconds.
: >/etc/resolv.conf
address=$(hostname -I | cut -d' ' -f1)
truncate -s 1G /srv/gopher/sparse-1g.bin

sed -e "s/^usechroot.*/usechroot = no/" \
  -e "s|^root = .*|root = /srv/gopher|" \
  -e "s/^port = 70/port = 70\nservername = $address\nadvertisedport = 70/" \
  -e "s/^logmethod.*/logmethod = file/" \
  -e "s/^cachetime.*/cachetime = 0/" \
  -e "s/^setuid.*//; s/^setgid.*//" \
  -e "s/^\( *\)file.FileHandler\]/\1pyg.PYGHandler, scriptexec.ExecHandler, file.FileHandler]/" \
  /etc/pygopherd/pygopherd.conf >/run/pygopherd.conf
mkdir -p /var/run/pygopherd
python3 -u /usr/sbin/pygopherd /run/pygopherd.conf >/var/log/pygopherd.log 2>&1 &

# -i, -k: the default throttles a session after 4,096 requests; -ns: there is no syslog to write to
echo "7070 stream tcp nowait.4000 nobody /usr/sbin/gophernicus gophernicus -h $address -p 7070 -r /srv/gopher" \
  "-i 1000000 -k 2000000000 -ns -nu -nf" >/run/inetd.conf
inetd -i /run/inetd.conf &
wait -n
