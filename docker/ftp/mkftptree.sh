#!/bin/sh
# Makes the users and the trees that every FTP server of this image serves. Made at build, so that odd names never sit
# in git or in a build context. README.md beside docker/ lists the names and sizes: keep the two together.
set -eu

# --- users -----------------------------------------------------------------------------------------------------------
id ftp >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin ftp
usermod --home /srv/ftp ftp
grep -qx /usr/sbin/nologin /etc/shells || echo /usr/sbin/nologin >>/etc/shells # the BSD servers ask for a listed shell
useradd --create-home --shell /bin/bash alice
useradd --create-home --shell /bin/bash bob
printf 'alice:wonderland\nbob:p@ss:w/rd%%\n' | chpasswd
printf 'guest\n' >/etc/ftpusers
printf 'auth required pam_unix.so nodelay\naccount required pam_unix.so\nsession required pam_unix.so\n' |
  tee /etc/pam.d/vsftpd /etc/pam.d/proftpd /etc/pam.d/pure-ftpd /etc/pam.d/ftpd >/etc/pam.d/inetutils-ftpd
# netkit asks while it handles USER, and refuses there (550) unless pam_ftp answers first
(printf 'auth sufficient pam_ftp.so\n' && cat /etc/pam.d/ftpd) >/etc/pam.d/ftp

# --- RFC 1738 §3.2.2: etc/motd below the home is not /etc/motd ---------------------------------------------------------
printf 'absolute etc\n' >/etc/motd
mkdir -p /home/alice/etc /home/alice/docs/a/b
printf 'relative etc of alice\n' >/home/alice/etc/motd
printf 'home of alice\n' >/home/alice/home.txt
printf 'deep file of alice\n' >/home/alice/docs/a/b/file.txt
printf 'for alice only\n' >/home/alice/private.txt
chmod 600 /home/alice/private.txt
printf 'home of bob\n' >/home/bob/home.txt
chown -R alice:alice /home/alice
chown -R bob:bob /home/bob
chmod 755 /home/alice /home/bob

# --- the anonymous tree ------------------------------------------------------------------------------------------------
mkdir -p /srv/ftp
cd /srv/ftp
rm -f welcome.msg # proftpd's package leaves one
printf 'The quick brown fox jumps\nover a lazy dog.\n' >text.txt
printf 'The quick brown fox jumps\r\nover a lazy dog.\r\n' >crlf.txt
printf 'no newline at the end' >no-newline.txt
printf 'caf\351 cr\350me\n' >latin-1.txt
printf 'caf\303\251 cr\303\250me\n' >utf-8.txt
: >empty.bin
# 65,536 octets: 0 to 255 in order, 256 times
perl -e 'binmode STDOUT; print join("", map chr, 0 .. 255) x 256' >binary.bin
# 8 MiB that no mistake in ordering survives, the same on every machine
openssl enc -aes-128-ctr -nosalt -K 00000000000000000000000000000000 -iv 00000000000000000000000000000000 \
  -in /dev/zero 2>/dev/null | head -c 8388608 >random-8m.bin
# 200,000 lines of text, for TYPE A
perl -e 'printf "line %06d\n", $_ for 1 .. 200000' >lines.txt

mkdir -p pub pub/nested emptydir 'dir with space'
printf 'public\n' >pub/readme.txt
printf 'nested\n' >pub/nested/leaf.txt
printf '<!doctype html><title>fixture</title>\n' >pub/page.html
printf 'compressed\n' | gzip -n >pub/archive.gz
printf 'inside\n' >'dir with space/inside file.txt'

path=deep
for level in $(seq -w 1 40); do path=$path/d$level; done
mkdir -p "$path"
printf 'bottom\n' >"$path/bottom.txt"

mkdir big
perl -e 'for (1 .. 5000) { my $n = sprintf "big/entry-%05d.txt", $_; open my $f, ">", $n or die; print $f "entry $_\n" }'

ln -s text.txt link-to-text
ln -s pub link-to-dir
ln -s nowhere link-broken
printf 'after the end of 32-bit time\n' >y2038.txt
touch -d '2038-01-20T00:00:00Z' y2038.txt
printf 'older than most\n' >old.txt
touch -d '1994-12-15T08:49:37Z' old.txt
touch -d '2001-02-03T04:05:06Z' text.txt
printf 'not for you\n' >unreadable.txt
mkdir unreadabledir

# --- odd names: each file holds its own name in hexadecimal, and a newline ----------------------------------------------
mkdir odd odd-octets
perl -e '
  my %odd = (
    "odd" => [
      "name with space", " leading space", "trailing space ", "per%cent", "percent%41", "hash#mark", "semi;colon",
      "name;type=a", "quest?ion", "q\"uote", "star*[bracket", "tab\tname", "control\x01name", "latin-1-\xe9",
      "utf-8-\xc3\xa9", "back\\slash", "..foo", ".dotfile", "-dash", "plus+sign", "amp&ersand", "tilde~", "colon:name",
      "\@at", "equals=sign", "curly{}", "pipe|name", "<angle>", "apos\x27name", "caret^`tick", "two  spaces", "a,comma",
    ],
    # These break the line of a listing or of a command on some server, so they have a folder of their own.
    "odd-octets" => ["new\nline", "carriage\rreturn", "ff-\xff-name"],
  );
  for my $folder (keys %odd) {
    for my $name (@{ $odd{$folder} }) {
      open my $file, ">", "$folder/$name" or die "$name: $!";
      print $file unpack("H*", $name), "\n";
    }
  }'
mkdir 'odd/dir;type=d' 'odd/q"d' 'odd/dir%2Fname'
printf 'in odd directory\n' | tee 'odd/dir;type=d/file.txt' 'odd/q"d/file.txt' >'odd/dir%2Fname/file.txt'

chown -R root:root /srv/ftp
chmod -R a+rX,go-w /srv/ftp
chmod 000 unreadable.txt unreadabledir
mkdir -m 1777 incoming # nothing is ever stored by us; a server may list it
