/** The words of both commands, as data: this package's command line and the service's are made of it. */

export interface OptionSpec {
  /** Without its dashes. */
  readonly name: string;
  /** What stands for its value in the usage; absent: it is a flag. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string;
}

export interface Values {
  readonly files: readonly string[];
  option(name: string): string | undefined;
  flag(name: string): boolean;
}

export interface CommandSpec {
  readonly name: 'tail' | 'import';
  readonly summary: string;
  readonly about: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly { readonly does: string; readonly command: string }[];
}

const SHARED: readonly OptionSpec[] = [
  { name: 'to', value: 'URL', about: 'address of Ghostlight; GHOSTLIGHT_URL names it too' },
  {
    name: 'key-file',
    value: 'FILE',
    about: 'file that holds the ingest key; GHOSTLIGHT_KEY holds the key itself',
  },
  {
    name: 'key',
    value: 'KEY',
    about: 'the ingest key itself, which other users of this machine can then see',
  },
  { name: 'property', value: 'ID', about: 'attribution ID, where the key is not pinned to a property' },
  {
    name: 'format',
    value: 'NAME',
    about: 'nginx, apache, caddy, haproxy, iis, cloudfront, combined, common, json and others',
    default: 'auto',
  },
  { name: 'host', value: 'HOST', about: 'host of lines that name none' },
  {
    name: 'time-zone',
    value: 'ZONE',
    about: 'zone of times that are written without one',
    default: 'this machine’s',
  },
  {
    name: 'trusted-proxy',
    value: 'WHICH',
    about:
      'proxies before the server: how many, or their addresses; the client is then read from X-Forwarded-For',
  },
  { name: 'captures', value: 'NAMES', about: 'HAProxy: the headers that it captures, in its order' },
  { name: 'map', value: 'FIELD=NAME', about: 'JSON: names of fields, with commas between' },
  { name: 'stream', value: 'NAME', about: 'tells servers apart whose lines may be equal byte by byte' },
  {
    name: 'search-engines',
    about: 'also send visits of search crawlers, for properties that tell them apart',
  },
  { name: 'state', value: 'FILE', about: 'where the position is kept' },
  { name: 'dry-run', about: 'print what would be sent, and send nothing' },
];

/** Of this package's own command line: the service's has one for all its commands. */
export const JSON_OPTION: OptionSpec = {
  name: 'json',
  about: 'at the end, print the figures as one line of JSON, and nothing else on standard output',
};

export const TAIL: CommandSpec = {
  name: 'tail',
  summary: 'follow access logs and report AI visits',
  about:
    'Only visits of AI crawlers, AI referrals and signed requests leave this machine, and how many other requests there were. Without a file, standard input is read.',
  options: [
    ...SHARED,
    {
      name: 'from',
      value: 'WHERE',
      about: 'where files begin at the first start: start or end',
      default: 'end',
    },
    { name: 'once', about: 'end where the files end, for a timer' },
  ],
  examples: [
    {
      does: 'follow nginx',
      command:
        'ghostlight-tail tail /var/log/nginx/access.log --to https://ghostlight.example --host shop.example',
    },
    {
      does: 'as a piped log of Apache',
      command:
        'ghostlight-tail --to https://ghostlight.example --key-file /etc/ghostlight/key --format apache',
    },
  ],
};

export const IMPORT: CommandSpec = {
  name: 'import',
  summary: 'send the AI visits of past access logs',
  about:
    'It reads all files first and lists the days that will change. A line that is sent twice counts once. Exit code 3: done, but some lines could not be read.',
  options: [...SHARED, { name: 'yes', about: 'start without asking' }],
  examples: [
    {
      does: 'last year’s files',
      command:
        'ghostlight-tail import "/var/log/nginx/access.log*" --to https://ghostlight.example --host shop.example',
    },
  ],
};
