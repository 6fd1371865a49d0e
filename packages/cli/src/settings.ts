/** What the options of a command line say; the table in options.ts fills it in. */

/** Where the body of the URL in the same place goes. */
export type Destination = { readonly to: 'file'; readonly name: string } | { readonly to: 'remote-name' };

/** One kind of TLS for `ftp:` URLs, in the ftp driver's words. */
export type FtpTls = 'never' | 'try' | 'require';

export interface Settings {
  urls: string[];
  /** `-o` and `-O` in order: the first is for the first URL. */
  destinations: Destination[];
  remoteNameAll: boolean;
  /** `-J`: the server's suggested name wins over the URL's. */
  serverName: boolean;
  outputDir: string | undefined;
  createDirs: boolean;
  /** What happens to files that exist; without a word, names of the user's and of URLs overwrite them, servers' names do not. */
  clobber: boolean | undefined;
  remoteTime: boolean;
  removeOnError: boolean;
  location: boolean;
  maxRedirects: number | undefined;
  fail: 'no' | 'early' | 'with-body';
  head: boolean;
  include: boolean;
  dumpHeader: string | undefined;
  range: string | undefined;
  /** `-C`: an offset, or `-` for what the file has. */
  continueAt: string | undefined;
  timeCondition: string | undefined;
  user: string | undefined;
  /** Logins of a netrc file: none, rather than those of URLs, or where URLs have none. */
  netrc: 'no' | 'required' | 'optional';
  netrcFile: string | undefined;
  /** `--url-query`, as given. */
  urlQuery: string[];
  etagSave: string | undefined;
  etagCompare: string | undefined;
  headers: string[];
  userAgent: string | undefined;
  referer: string | undefined;
  cookie: string | undefined;
  compressed: boolean;
  accept: string | undefined;
  listOnly: boolean;
  useAscii: boolean;
  ftpMethod: 'multicwd' | 'singlecwd' | 'nocwd' | undefined;
  epsv: boolean;
  ftpAccount: string | undefined;
  ftpTls: FtpTls;
  insecure: boolean;
  cacert: string | undefined;
  ipFamily: 4 | 6 | undefined;
  /** Seconds. */
  maxTime: number | undefined;
  /** Seconds. */
  connectTimeout: number | undefined;
  maxFilesize: number | undefined;
  retry: number;
  /** Also what is final by its nature is tried again. */
  retryAllErrors: boolean;
  /** Seconds. */
  retryMaxTime: number | undefined;
  /** Octets a second at the most. */
  limitRate: number | undefined;
  /** Octets a second at the least. */
  speedLimit: number | undefined;
  /** Seconds that the least is an average of. */
  speedTime: number | undefined;
  /** Seconds. */
  retryDelay: number | undefined;
  allowPorts: number[];
  proto: string | undefined;
  protoRedir: string | undefined;
  /** Gopher+ forms may be submitted (RFC 1738 §3.4.9). */
  allowAsk: boolean;
  failEarly: boolean;
  /** `-Z`: transfers run at once. */
  parallel: boolean;
  parallelMax: number;
  /** 0: as many as the client's pool allows. */
  parallelMaxHost: number;
  silent: boolean;
  showError: boolean;
  verbose: boolean;
  traceFile: string | undefined;
  meter: 'line' | 'bar' | 'none';
  writeOut: string | undefined;
  json: boolean;
  stderr: string | undefined;
  /** Open the session with a service. */
  connect: boolean;
  showPassword: boolean;
  strict: boolean;
  help: boolean;
  version: boolean;
}

export function defaultSettings(): Settings {
  return {
    urls: [],
    destinations: [],
    remoteNameAll: false,
    serverName: false,
    outputDir: undefined,
    createDirs: false,
    clobber: undefined,
    remoteTime: false,
    removeOnError: false,
    location: false,
    maxRedirects: undefined,
    fail: 'no',
    head: false,
    include: false,
    dumpHeader: undefined,
    range: undefined,
    continueAt: undefined,
    timeCondition: undefined,
    user: undefined,
    netrc: 'no',
    netrcFile: undefined,
    urlQuery: [],
    etagSave: undefined,
    etagCompare: undefined,
    headers: [],
    userAgent: undefined,
    referer: undefined,
    cookie: undefined,
    compressed: false,
    accept: undefined,
    listOnly: false,
    useAscii: false,
    ftpMethod: undefined,
    epsv: true,
    ftpAccount: undefined,
    ftpTls: 'never',
    insecure: false,
    cacert: undefined,
    ipFamily: undefined,
    maxTime: undefined,
    connectTimeout: undefined,
    maxFilesize: undefined,
    retry: 0,
    retryAllErrors: false,
    retryMaxTime: undefined,
    limitRate: undefined,
    speedLimit: undefined,
    speedTime: undefined,
    retryDelay: undefined,
    allowPorts: [],
    proto: undefined,
    protoRedir: undefined,
    allowAsk: false,
    failEarly: false,
    parallel: false,
    parallelMax: 50,
    parallelMaxHost: 0,
    silent: false,
    showError: false,
    verbose: false,
    traceFile: undefined,
    meter: 'line',
    writeOut: undefined,
    json: false,
    stderr: undefined,
    connect: false,
    showPassword: false,
    strict: false,
    help: false,
    version: false,
  };
}
