/** Whom to trust. */
import type { Option } from './option.ts';
import { wholeNumber } from './values.ts';

export const securityOptions: readonly Option[] = [
  {
    long: 'insecure',
    short: 'k',
    group: 'security',
    help: 'take any certificate: you may be talking to anybody',
    set: (settings, on) => void (settings.insecure = on),
  },
  {
    long: 'cacert',
    value: 'FILE',
    group: 'security',
    help: 'trust the certificates in FILE (PEM) alone',
    take: (settings, value) => void (settings.cacert = value),
  },
  {
    long: 'ipv4',
    short: '4',
    group: 'security',
    help: 'connect to IPv4 addresses only',
    set: (settings, on) => void (settings.ipFamily = on ? 4 : undefined),
  },
  {
    long: 'ipv6',
    short: '6',
    group: 'security',
    help: 'connect to IPv6 addresses only',
    set: (settings, on) => void (settings.ipFamily = on ? 6 : undefined),
  },
  {
    long: 'proto',
    value: 'SCHEMES',
    group: 'security',
    help: 'the schemes that may be used: =https,ftps or -all,http or -gopher',
    take: (settings, value) => void (settings.proto = value),
  },
  {
    long: 'proto-redir',
    value: 'SCHEMES',
    group: 'security',
    help: 'the same for where redirects may lead (default =http,https,ftp,ftps)',
    take: (settings, value) => void (settings.protoRedir = value),
  },
  {
    long: 'allow-port',
    value: 'PORT',
    group: 'security',
    help: "allow a port that is another protocol's",
    take: (settings, value) => settings.allowPorts.push(wholeNumber('allow-port', value)),
  },
  {
    long: 'allow-ask',
    group: 'security',
    help: 'submit the answers in a gopher URL (RFC 1738 3.4.9)',
    set: (settings, on) => void (settings.allowAsk = on),
  },
];
