#!/bin/bash
# Starts the server named by the first argument: vsftpd, proftpd, pureftpd, inetutils or netkit.
# The container ends as soon as any of the server's processes does, so that a crash is seen.
set -euo pipefail
start-certificates.sh
# The servers look up their clients' names. No resolver at all refuses at once; one out of reach would cost seconds.
: >/etc/resolv.conf
# Sparse, and made here because a layer of an image would hold every octet of it.
truncate -s 1G /srv/ftp/sparse-1g.bin
tls=/etc/fixture-tls

case ${1:-} in
  vsftpd)
    mkdir -p /run/vsftpd/empty
    # variants take common.conf and add to it: vsftpd lets a later setting win
    for variant in plain implicit limits single; do
      cat /etc/fixture/vsftpd-common.conf "/etc/fixture/vsftpd-$variant.conf" >"/run/vsftpd/$variant.conf"
      /opt/vsftpd/usr/sbin/vsftpd "/run/vsftpd/$variant.conf" &
    done
    ;;
  proftpd)
    mkdir -p /run/proftpd
    proftpd --nodaemon --config /etc/fixture/proftpd.conf &
    ;;
  pureftpd)
    cp "$tls/server-with-key.pem" /etc/ssl/private/pure-ftpd.pem
    pure=/opt/pure-ftpd/usr/sbin/pure-ftpd
    # -H: no reverse DNS; -Y 1: TLS offered; -L: entries and depth of a listing; -c, -C: clients, and per address
    "$pure" --bind 21 --login unix --dontresolve --passiveportrange 21100:21999 --tls 1 --limitrecursion 10000:50 \
      --maxclientsnumber 60 --maxclientsperip 50 &
    "$pure" --bind 2121 --login unix --dontresolve --forcepassiveip 10.9.8.7 --passiveportrange 22100:22999 --tls 1 \
      --maxidletime 1 --maxclientsnumber 60 --maxclientsperip 50 --pidfile /run/pure-ftpd-limits.pid &
    ;;
  inetutils)
    echo 'ftp stream tcp nowait.4000 root /opt/inetutils-ftpd/usr/sbin/ftpd ftpd -l' >/run/inetd.conf
    inetd -i /run/inetd.conf &
    ;;
  netkit)
    # its LIST runs bin/ls inside the anonymous root
    mkdir -p /srv/ftp/bin
    cp /bin/busybox /srv/ftp/bin/ls
    # inetd starts 256 processes a minute unless told otherwise
    echo 'ftp stream tcp nowait.4000 root /opt/ftpd-ssl/usr/sbin/in.ftpd in.ftpd -l' >/run/inetd.conf
    inetd -i /run/inetd.conf &
    ;;
  *)
    exec "$@"
    ;;
esac
wait -n
