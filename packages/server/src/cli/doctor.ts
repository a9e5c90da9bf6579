/** `ghostlight doctor`: looks at everything that can be wrong and says what to do about it. Exits 1 when something is. */
import { styleText } from 'node:util';
import { counted } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { CommandContext, Leaf } from './command.ts';
import { providerFindings } from './doctor-provider.ts';
import { type Finding, storage } from './doctor-storage.ts';
import { warehouseFindings } from './doctor-warehouse.ts';

/** A mark and its colour, which `styleText` leaves out where the output has none or NO_COLOR is set. */
const MARKS = {
  good: ['✓', 'green'],
  note: ['!', 'yellow'],
  bad: ['✕', 'red'],
} as const;

export const doctor: Leaf = {
  name: 'doctor',
  summary: 'check the installation, and say what to fix',
  about:
    'Settings, disk, stores, rights, the sign-in provider, lists, and the setup of every property. Fails where something needs fixing.',
  options: [
    {
      name: 'warehouse',
      about: 'check the ClickHouse server of CLICKHOUSE_URL instead, and try inserts in a table of its own',
    },
  ],
  json: '{"findings": [{"level": "good", "note" or "bad", "text", "check" (of --warehouse)}], "bad"}',
  examples: [
    { does: 'Everything', command: 'ghostlight doctor' },
    { does: 'The ClickHouse server and its replicas', command: 'ghostlight doctor --warehouse' },
    {
      does: 'Only what needs fixing',
      command: `ghostlight doctor --json | jq -r '.findings[] | select(.level == "bad").text'`,
    },
  ],
  async run({ config, service, flag }) {
    const findings = flag('warehouse')
      ? await warehouseFindings(config)
      : [
          ...settings(config),
          ...(await storage(config, service)),
          ...(await installation(service)),
          ...(await providerFindings(config)),
          ...(await lists(service)),
          ...(await properties(service)),
        ];
    const bad = findings.filter(({ level }) => level === 'bad').length;
    return {
      data: { findings, bad },
      text: findings.map(({ level, text }) => {
        const [mark, colour] = MARKS[level];
        return `${styleText(colour, mark)} ${text}`;
      }),
      ...(config.clickhouseUrl === null || flag('warehouse')
        ? {}
        : { hint: 'The ClickHouse server in detail: ghostlight doctor --warehouse' }),
      ...(bad === 0 ? {} : { failed: `${counted(bad, ['problem', 'problems'])} to fix.` }),
    };
  },
};

type Client = CommandContext['service'];

function settings(config: Config): Finding[] {
  const loopback = config.baseUrl === null || /^http:\/\/(localhost|127\.|\[::1\])/.test(config.baseUrl);
  return [
    loopback
      ? {
          level: 'note',
          text: 'BASE_URL is a loopback address: collectors on other machines can’t reach this service. Set it to the public one.',
        }
      : { level: 'good', text: `Senders use ${config.baseUrl}.` },
    ...(config.baseUrl?.startsWith('http:') && !loopback
      ? [
          {
            level: 'bad' as const,
            text: 'BASE_URL is not https: keys would travel in the clear, and log push refuses it. Put TLS in front.',
          },
        ]
      : []),
    ...(config.destinationHosts.size > 0
      ? [
          {
            level: 'note' as const,
            text: 'DESTINATION_HOSTS sends requests for platforms elsewhere. Unset it outside of tests.',
          },
        ]
      : []),
  ];
}

interface InstallationChecks {
  readonly missing_rights:
    | readonly { readonly grant: string; readonly needed: string; readonly why: string }[]
    | null;
  readonly untrusted_proxy: { readonly count: number } | null;
  readonly overdue_erasures: { readonly count: number; readonly since: string } | null;
  readonly overdue_deletions?: number;
  readonly months_to_recount?: number | null;
  readonly backups?: {
    readonly every_hours: number;
    readonly last_at: string | null;
    readonly overdue: boolean;
    readonly error: string | null;
  } | null;
}

async function installation(client: Client): Promise<Finding[]> {
  return installationFindings(
    (await client.call('GET', '/api/v1/installation/checks')) as InstallationChecks,
  );
}

/** Pure, for its test. */
export function installationFindings({
  missing_rights,
  untrusted_proxy,
  overdue_erasures,
  overdue_deletions = 0,
  months_to_recount = null,
  backups = null,
}: InstallationChecks): Finding[] {
  const findings = (missing_rights ?? []).map(
    ({ grant, needed, why }): Finding => ({
      level: needed === 'optional' ? 'note' : 'bad',
      text: `The user of CLICKHOUSE_URL lacks the right ${grant} (${why}). Grant it; docs/clickhouse.md lists the rights.`,
    }),
  );
  if (untrusted_proxy !== null)
    findings.push({
      level: 'note',
      text: `${counted(untrusted_proxy.count, ['request', 'requests'])} arrived with X-Forwarded-For, but TRUST_PROXY is empty: all clients of that proxy count as one address. Set TRUST_PROXY to the proxy’s address or to the number of proxies.`,
    });
  if (overdue_erasures !== null)
    findings.push({
      level: 'bad',
      text: `${counted(overdue_erasures.count, ['erasure of a visitor is', 'erasures of visitors are'])} not over since ${overdue_erasures.since}: a replica of the warehouse is down, or refuses the mutation. The log says which; it is tried again every hour.`,
    });
  if (overdue_deletions > 0)
    findings.push({
      level: 'bad',
      text: `${counted(overdue_deletions, ['deletion of a property is', 'deletions of properties are'])} not over after an hour. \`ghostlight properties deletions\` shows what is left, and the log says why; it is tried again every minute.`,
    });
  if (backups !== null) {
    const last =
      backups.last_at === null
        ? 'There is no scheduled backup yet'
        : `The newest backup is from ${backups.last_at}`;
    const isBad = backups.overdue || backups.error !== null;
    const why = backups.error === null ? '' : ` The last attempt failed: ${backups.error}`;
    findings.push({
      level: isBad ? 'bad' : 'good',
      text: `${last}; one is made every ${backups.every_hours} h.${why}`,
    });
  }
  if (months_to_recount !== null)
    findings.push({
      level: 'note',
      text: `Closed days of ${counted(months_to_recount, ['month', 'months'])} still tell files from pages by an older rule. They are counted again in the background, newest first; nothing needs to be done.`,
    });
  return findings;
}

async function lists(client: Client): Promise<Finding[]> {
  const { version, sources } = (await client.call('GET', '/api/v1/lists')) as {
    version: number;
    sources: { source: string; error: string | null }[];
  };
  const failing = sources.filter(({ error }) => error !== null);
  return [
    { level: 'good', text: `Bot list version ${version}.` },
    ...failing.map(
      ({ source, error }): Finding => ({
        level: 'note',
        text: `${source} could not be renewed (${error}); its last good copy is in use.`,
      }),
    ),
  ];
}

async function properties(client: Client): Promise<Finding[]> {
  const { items } = (await client.call('GET', '/api/v1/properties')) as {
    items: { id: string; name: string }[];
  };
  const findings: Finding[] = [];
  for (const { id, name } of items) {
    const setup = (await client.call('GET', `/api/v1/properties/${id}/setup`)) as {
      state: string;
      findings: { code: string; severity: string; title: string; action: string }[];
    };
    findings.push({ level: setup.state === 'active' ? 'good' : 'note', text: `${name}: ${setup.state}.` });
    for (const { code, severity, title, action } of setup.findings) {
      // Said once for the installation.
      if (code === 'untrusted_proxy') continue;
      findings.push({ level: severity === 'error' ? 'bad' : 'note', text: `${name}: ${title} ${action}` });
    }
  }
  return findings.length > 0
    ? findings
    : [{ level: 'note', text: 'There is no property yet: create one in the dashboard.' }];
}
