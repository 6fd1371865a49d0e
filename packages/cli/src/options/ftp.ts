/** FTP. */
import { UsageError } from '../failure.ts';
import type { FtpTls } from '../settings.ts';
import { granted, type Flag, type Option } from './option.ts';

export const ftpOptions: readonly Option[] = [
  {
    long: 'list-only',
    short: 'l',
    group: 'ftp',
    help: 'list names only (NLST)',
    set: (settings, on) => void (settings.listOnly = on),
  },
  {
    long: 'use-ascii',
    short: 'B',
    group: 'ftp',
    help: 'transfer text (TYPE A), as ;type=a does',
    set: (settings, on) => void (settings.useAscii = on),
  },
  {
    long: 'ftp-method',
    value: 'METHOD',
    group: 'ftp',
    help: 'reach directories by multicwd, singlecwd or nocwd',
    take: (settings, value) => void (settings.ftpMethod = ftpMethod(value)),
  },
  {
    long: 'disable-epsv',
    group: 'ftp',
    help: 'do not try EPSV before PASV',
    set: (settings, on) => void (settings.epsv = !on),
  },
  { long: 'epsv', group: 'ftp', set: (settings, on) => void (settings.epsv = on) },
  granted('ftp-pasv'),
  granted('ftp-skip-pasv-ip'),
  granted('eprt'),
  granted('disable-eprt'),
  {
    long: 'ftp-account',
    value: 'ACCOUNT',
    group: 'ftp',
    help: 'the answer to a server that asks for ACCT',
    take: (settings, value) => void (settings.ftpAccount = value),
  },
  tlsRow('ssl', 'try', 'secure the connection if the server can (AUTH TLS)'),
  tlsRow('ssl-reqd', 'require', 'secure the connection or fail'),
  tlsRow('ftp-ssl', 'try'),
  tlsRow('ftp-ssl-reqd', 'require'),
];

function tlsRow(long: string, tls: FtpTls, help?: string): Flag {
  return {
    long,
    group: 'ftp',
    ...(help !== undefined && { help }),
    set: (settings, on) => void (settings.ftpTls = on ? tls : 'never'),
  };
}

function ftpMethod(value: string): 'multicwd' | 'singlecwd' | 'nocwd' {
  if (value === 'multicwd' || value === 'singlecwd' || value === 'nocwd') return value;
  throw new UsageError(`--ftp-method wants multicwd, singlecwd or nocwd, not ${JSON.stringify(value)}`);
}
