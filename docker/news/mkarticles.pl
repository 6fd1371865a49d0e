#!/usr/bin/perl
# Makes the fixture articles. README.md beside docker/ lists them: keep the two together.
#
#   mkarticles.pl feed PORT   gives them to innd on loopback by TAKETHIS (RFC 4644), all in one stream
#   mkarticles.pl batch       prints them in wire format, for snstore; without private.* and with 200 articles in fixture.big
use strict;
use warnings;
use IO::Socket::INET;

my ($mode, $port) = @ARGV;
my $big = $mode eq 'feed' ? 5000 : 200;
my @articles;

# One article: groups, local part of its message-id, subject, body (LF or CRLF), further header fields.
sub article {
    my ($groups, $id, $subject, $body, @more) = @_;
    my $head = join '', map {"$_\n"} 'Path: not-for-mail', 'From: Alice Example <alice@fixture.test>',
        "Newsgroups: $groups", "Subject: $subject", 'Date: Sat, 03 Feb 2001 04:05:06 +0000',
        "Message-ID: <$id\@fixture.test>", @more;
    my %own = map { /^([\w-]+):/ ? ($1 => 1) : () } @more;
    # A field given replaces the usual one.
    $head =~ s/^$_: .*\n//m for grep { /^(From|Date|Message-ID)$/ } keys %own;
    push @articles, [ $own{'Message-ID'} ? (join("\n", @more) =~ /^Message-ID: <([^>]*)>/m)[0] : "$id\@fixture.test",
        wire("$head\n$body") ];
}

# CR LF at every line's end, dots stuffed, a lone dot behind (RFC 3977 3.1.1).
sub wire {
    my ($text) = @_;
    $text =~ s/\r?\n/\r\n/g;
    $text =~ s/^\./../mg;
    return "$text.\r\n";
}

# --- fixture.plain -------------------------------------------------------------------------------------------------------
article('fixture.plain', 'plain', 'A plain article', "The quick brown fox jumps\nover a lazy dog.\n",
    'Organization: Fixture');
article('fixture.plain', 'dots', 'Dots', "first\n.\n..\n.leading\n..double\nin . side\n.\nlast\n");
article('fixture.plain', '8-bit', "Caf\xc3\xa9 in raw UTF-8", "caf\xe9 cr\xe8me in Latin-1\n\x80\xff\n",
    'MIME-Version: 1.0', 'Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: 8bit');
article('fixture.plain', 'words', '=?UTF-8?B?w5xiZXI=?= =?ISO-8859-1?Q?_dr=FCben_&_dr=FCber?= (encoded)', "encoded words\n",
    'From: =?ISO-8859-1?Q?J=FCrgen_M=FCller?= <jm@fixture.test>', 'Date: Tue, 5 Mar 2002 18:00:30 +0100 (CET)');
article('fixture.plain', 'folded', "A subject\n that is folded\n\tthree times\n  over", "folded\n",
    'References: <plain@fixture.test> <dots@fixture.test>' . join('', map {"\n <ref-$_\@fixture.test>"} 1 .. 20));
article('fixture.plain', 'empty', 'No body at all', '');
article('fixture.plain', 'odd', 'An odd message-id', "odd\n", 'Message-ID: <odd%41/sl?q#h$d+p=e&a!b*c@fixture.test>');
article('fixture.plain', 'followup', 'Re: A plain article', "> The quick brown fox\nIndeed.\n",
    'References: <plain@fixture.test>');

# --- fixture.multipart -----------------------------------------------------------------------------------------------------
my $gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
article('fixture.multipart', 'multipart', 'A text and a picture', <<END,
This is a multi-part message in MIME format.
--=_fixture
Content-Type: text/plain; charset=utf-8

the text

--=_fixture
Content-Type: image/gif; name="pixel.gif"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="pixel.gif"

$gif

--=_fixture--
END
    'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="=_fixture"');

# --- fixture.long ------------------------------------------------------------------------------------------------------------
article('fixture.long', 'long-line', 'A line of 20,000 octets', ('x' x 20_000) . "\nshort\n");
article('fixture.long', 'large', 'Four and a half megabytes',
    join('', map { sprintf "%07d .dots. and the rest of a line of seventy-two octets ..............\n", $_ } 1 .. 62_500));
article('fixture.long', 'dot-lines', 'Every line begins with a dot', join('', map {".$_\n"} 1 .. 20_000));

# --- fixture.cross.* ---------------------------------------------------------------------------------------------------------
article('fixture.cross.a,fixture.cross.b', 'cross', 'Posted to two groups', "twice, and once\n");
article('fixture.cross.b', 'cross-b', 'Posted to one', "once\n");

# --- fixture.expired: twelve, of which the image's build cancels 1, 2, 5 and 12 ----------------------------------------------
article('fixture.expired', "expired-$_", "Number $_", "number $_\n") for 1 .. 12;

# --- fixture.big -------------------------------------------------------------------------------------------------------------
article('fixture.big', "big-$_", sprintf('Article %05d', $_), "article $_\n") for 1 .. $big;

article('private.club', 'private', 'For members', "members only\n") if $mode eq 'feed';

if ($mode eq 'batch') {
    binmode STDOUT;
    print $_->[1] for @articles;
    exit;
}

my $innd = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "no innd on $port: $!";
<$innd> =~ /^200 / or die 'innd does not take us for a peer';
print $innd "MODE STREAM\r\n";
<$innd> =~ /^203 / or die 'innd takes no stream';
my $writer = fork // die $!;
if ($writer == 0) {
    print $innd "TAKETHIS <$_->[0]>\r\n$_->[1]" for @articles;
    $innd->flush;
    require POSIX;
    POSIX::_exit(0);
}
for (@articles) {
    my $reply = <$innd> // die 'innd hung up';
    $reply =~ /^239 / or die "$_->[0]: $reply";
}
waitpid $writer, 0;
printf "%d articles\n", scalar @articles;
