#!/bin/sh
# Makes the tree both gopher servers serve. README.md beside docker/ lists the names and sizes: keep the two together.
set -eu
mkdir -p /srv/gopher
cd /srv/gopher
tab=$(printf '\t')

# --- documents -----------------------------------------------------------------------------------------------------------
printf 'The quick brown fox jumps\nover a lazy dog.\n' >text.txt
printf 'The quick brown fox jumps\r\nover a lazy dog.\r\n' >crlf.txt
# what a reader that ends text at a lone dot, or unstuffs dots, would damage
printf 'first\n.\n..\n.leading\n..double\nin . side\nlast\n' >dots.txt
printf 'a text that ends with a dot line\n.\n' >dot-at-end.txt
printf 'caf\351 cr\350me\n' >latin-1.txt
printf 'caf\303\251 cr\303\250me\n' >utf-8.txt
printf 'no newline at the end' >no-newline.txt
: >empty.txt
perl -e 'print "x" x 5000, "\nshort\n"' >long-line.txt
perl -e 'binmode STDOUT; print join("", map chr, 0 .. 255) x 256' >binary.bin
openssl enc -aes-128-ctr -nosalt -K 00000000000000000000000000000000 -iv 00000000000000000000000000000000 \
  -in /dev/zero 2>/dev/null | head -c 8388608 >random-8m.bin
printf '<!doctype html><title>fixture</title>\n' >page.html
# the smallest images: one pixel each
echo 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' | base64 -d >image.gif
echo 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==' | base64 -d >image.png

# --- Gopher+ attributes (pygopherd) ----------------------------------------------------------------------------------------
printf 'An abstract of the text\nin two lines\n' >text.txt.abstract
printf 'form document\n' >form.txt
printf 'Ask: Your name?\nAskP: Your password?\nChoose: Colour?\tred\tblue\n' >form.txt.ask

# --- menus -----------------------------------------------------------------------------------------------------------------
cat >gophermap <<END
Welcome to the fixture
0A text${tab}/text.txt
0Dots${tab}/dots.txt
0Latin-1${tab}/latin-1.txt
9Binary${tab}/binary.bin
gA GIF${tab}/image.gif
IA PNG${tab}/image.png
1Every item type${tab}/types
1Five thousand entries${tab}/big
1Odd names${tab}/odd
1A plain folder${tab}/folder
7Search${tab}/cgi-bin/search
hAn HTML page${tab}/page.html
hElsewhere${tab}URL:http://example.com/a?b=c
END

mkdir types
cat >types/gophermap <<END
iAn information line${tab}fake${tab}(NULL)${tab}0
0Text file${tab}/text.txt
1Menu${tab}/folder
2CSO phone book${tab}/cso${tab}cso.example.com${tab}105
3An error${tab}/none${tab}error.host${tab}1
4BinHex${tab}/binary.bin
5DOS archive${tab}/binary.bin
6uuencoded${tab}/text.txt
7Search${tab}/cgi-bin/search
8Telnet${tab}guest${tab}telnet.example.com${tab}23
9Binary${tab}/binary.bin
+Mirror${tab}/text.txt${tab}mirror.example.com${tab}70
TTN3270${tab}guest${tab}tn3270.example.com${tab}23
gGIF${tab}/image.gif
IImage${tab}/image.png
hHTML${tab}/page.html
hURL${tab}URL:http://example.com/a?b=c
hMail${tab}URL:mailto:alice@example.com
sSound${tab}/binary.bin
;Movie${tab}/binary.bin
dDocument${tab}/binary.bin
MMIME message${tab}/text.txt
cCalendar${tab}/text.txt
XXML${tab}/text.txt
1Other server${tab}/a menu${tab}gopher.example.com${tab}7070
1Empty selector${tab}${tab}gopher.example.com${tab}70
0A relative selector${tab}relative.txt
END
printf 'reached by a relative selector\n' >types/relative.txt

mkdir folder folder/inner emptyfolder big odd raw cgi-bin
printf 'one\n' >folder/one.txt
printf 'two\n' >folder/two.txt
printf 'leaf\n' >folder/inner/leaf.txt
perl -e 'for (1 .. 5000) { my $n = sprintf "big/entry-%05d.txt", $_; open my $f, ">", $n or die; print $f "entry $_\n" }'

# pygopherd sends this file octet for octet, so a client can be shown a menu no server would write
printf '0good\t/text.txt\tlocalhost\t70\r\n0no port\t/text.txt\tlocalhost\r\n0no host\t/text.txt\r\n0only a name\r\n\r\n0bad port\t/text.txt\tlocalhost\tseventy\r\n0port too big\t/text.txt\tlocalhost\t70000\r\n0extra\t/text.txt\tlocalhost\t70\t+\tmore\r\n0bare newline\t/text.txt\tlocalhost\t70\n0caf\351\t/latin-1.txt\tlocalhost\t70\r\n0last\t/text.txt\tlocalhost\t70\r\n.\r\n0after the dot\t/text.txt\tlocalhost\t70\r\n' >raw/malformed-menu.txt

# --- odd names: each file holds its own name in hexadecimal, and a newline ----------------------------------------------------
perl -e '
  for my $name ("name with space", "per%cent", "percent%41", "hash#mark", "semi;colon", "quest?ion", "q\"uote",
                "latin-1-\xe9", "utf-8-\xc3\xa9", "plus+sign", "amp&ersand", "back\\slash", "star*[bracket") {
    open my $file, ">", "odd/$name.txt" or die "$name: $!";
    print $file unpack("H*", "$name.txt"), "\n";
  }'

# --- search: two hits, whose titles repeat the terms --------------------------------------------------------------------------
cat >cgi-bin/search <<'END'
#!/bin/sh
terms=${SEARCHREQUEST:-${QUERY_STRING:-}}
if [ "$terms" = nothing ]; then exit 0; fi
printf '0First hit for %s\t/text.txt\t%s\t%s\r\n' "$terms" "$SERVER_NAME" "$SERVER_PORT"
printf '1Second hit for %s\t/folder\t%s\t%s\r\n' "$terms" "$SERVER_NAME" "$SERVER_PORT"
END
chmod +x cgi-bin/search
touch -d '2001-02-03T04:05:06Z' text.txt
chmod -R a+rX .
