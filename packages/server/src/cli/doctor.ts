/** `ghostlight doctor`: looks at everything that can be wrong and says what to do about it. Exits 1 when something is. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { counted } from '../common/index.ts';
import type { Config } from '../config.ts';
import { type ApiClient, CommandError, connect } from './client.ts';
import type { Command } from './command.ts';

type Level = 'good' | 'note' | 'bad';
interface Finding {
  level: Level;
  text: string;
}

const MARKS: Readonly<Record<Level, string>> = { good: '✓', note: '!', bad: '✕' };
const LOW_DISK_BYTES = 2 * 1024 ** 3;

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'look at everything that can be wrong and say what to do',
  async run({ config, print }) {
    const client = await connect(config);
    try {
      const findings = [
        ...settings(config),
        ...(await disk(config)),
        ...(await stores(client)),
        ...(await installation(client)),
        ...(await lists(client)),
        ...(await properties(client)),
      ];
      for (const { level, text } of findings) print(`${MARKS[level]} ${text}`);
      const bad = findings.filter(({ level }) => level === 'bad').length;
      if (bad > 0) throw new CommandError(`${bad} thing${bad === 1 ? '' : 's'} to mend.`);
    } finally {
      await client.close();
    }
  },
};

function settings(config: Config): Finding[] {
  const loopback = config.baseUrl === null || /^http:\/\/(localhost|127\.|\[::1\])/.test(config.baseUrl);
  return [
    loopback
      ? {
          level: 'note',
          text: 'BASE_URL is a loopback address: edges elsewhere can’t reach this service. Set it to the public one.',
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

async function disk(config: Config): Promise<Finding[]> {
  if (!existsSync(config.dataDir)) return [];
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const gigabytes = (free / 1024 ** 3).toFixed(1);
  return free < LOW_DISK_BYTES
    ? [
        {
          level: 'bad',
          text: `Only ${gigabytes} GiB are free for ${config.dataDir}: make room, or ingest will answer 503.`,
        },
      ]
    : [{ level: 'good', text: `${gigabytes} GiB are free for the data directory.` }];
}

async function stores(client: ApiClient): Promise<Finding[]> {
  const { checks, reasons } = (await client.call('GET', '/readyz')) as {
    checks: Record<string, 'ok' | 'failing'>;
    reasons?: Record<string, string>;
  };
  const spool = (await client.call('GET', '/api/v1/spool')) as {
    pending_rows: number;
    oldest_seconds: number;
    last_error: string | null;
    parked_batches: number;
    damages: {
      at: string;
      spool: string;
      found: string[];
      lost_rows: number | null;
      kept_in: string | null;
    }[];
  };
  const findings: Finding[] = Object.entries(checks).map(([name, state]) =>
    state === 'ok'
      ? { level: 'good', text: `The ${name} answers.` }
      : {
          level: 'bad',
          text: `${reasons?.[name] ?? `The ${name} does not answer.`} The log of this service says more.`,
        },
  );
  if (spool.oldest_seconds > 60) {
    const waiting = `${spool.pending_rows} hits wait for the warehouse, the oldest for ${Math.round(spool.oldest_seconds)} s`;
    findings.push({ level: 'bad', text: `${waiting}: ${spool.last_error ?? 'the shipper is behind'}.` });
  }
  for (const { at, spool: name, found, lost_rows, kept_in } of spool.damages) {
    const lost =
      lost_rows === null
        ? 'how many acknowledged rows are lost can’t be known'
        : lost_rows === 0
          ? 'no acknowledged row is lost'
          : `${lost_rows} acknowledged rows are lost`;
    const kept =
      kept_in === null
        ? ''
        : ` The damaged files were kept in spool/${kept_in} (the three newest sets, for 30 days; the erasure of a visitor removes them).`;
    findings.push({
      level: lost_rows === 0 ? 'note' : 'bad',
      text: `The files of the spool "${name}" were damaged (${at}): ${found.join('; ')}. By the counters, ${lost}.${kept} Look at the disk.`,
    });
  }
  if (spool.parked_batches > 0) {
    findings.push({
      level: 'bad',
      text: `${spool.parked_batches} batches are stored in part and stay in the spool: the log names them; compare them by hand.`,
    });
  }
  return findings;
}

interface InstallationChecks {
  readonly missing_rights:
    | readonly { readonly grant: string; readonly needed: string; readonly why: string }[]
    | null;
  readonly untrusted_proxy: { readonly count: number } | null;
  readonly overdue_erasures: { readonly count: number; readonly since: string } | null;
}

async function installation(client: ApiClient): Promise<Finding[]> {
  return installationFindings(
    (await client.call('GET', '/api/v1/installation/checks')) as InstallationChecks,
  );
}

/** Pure, for its test. */
export function installationFindings({
  missing_rights,
  untrusted_proxy,
  overdue_erasures,
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
      text: `${counted(overdue_erasures.count, ['erasure of a visitor is', 'erasures of visitors are'])} not over since ${overdue_erasures.since}: a replica of the warehouse is away, or refuses the mutation. The log says which; it is tried again every hour.`,
    });
  return findings;
}

async function lists(client: ApiClient): Promise<Finding[]> {
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

async function properties(client: ApiClient): Promise<Finding[]> {
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
