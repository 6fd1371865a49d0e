#!/bin/sh
# Makes the documents nginx serves. README.md beside docker/ lists the names and sizes: keep the two together.
set -eu
mkdir -p /srv/web
cd /srv/web
printf 'The quick brown fox jumps\nover a lazy dog.\n' >text.txt
printf 'The quick brown fox jumps\r\nover a lazy dog.\r\n' >crlf.txt
: >empty.bin
perl -e 'binmode STDOUT; print join("", map chr, 0 .. 255) x 256' >binary.bin
openssl enc -aes-128-ctr -nosalt -K 00000000000000000000000000000000 -iv 00000000000000000000000000000000 \
  -in /dev/zero 2>/dev/null | head -c 8388608 >random-8m.bin
perl -e 'printf "line %06d\n", $_ for 1 .. 200000' >lines.txt
printf 'caf\351 cr\350me\n' >latin-1.txt
printf 'caf\303\251 cr\303\250me\n' >utf-8.txt
printf '<!doctype html><title>fixture</title>\n' >page.html
printf 'no extension, no type\n' >untyped
mkdir private folder no-index 'dir with space' throttled no-ranges
printf 'for alice and bob\n' >private/secret.txt
printf '<!doctype html><title>folder</title>\n' >folder/index.html
printf 'listed\n' >no-index/file.txt
printf 'inside\n' >'dir with space/inside file.txt'
ln random-8m.bin throttled/random-8m.bin
ln binary.bin no-ranges/binary.bin
touch -d '2001-02-03T04:05:06Z' text.txt
printf 'alice:%s\nbob:%s\n' "$(openssl passwd -apr1 wonderland)" "$(openssl passwd -apr1 'p@ss:w/rd%')" >/etc/nginx/users
chmod -R a+rX .
