/** Signed requests through real servers, verified by the service from the lines that they wrote: as recorded, and as installed servers write them now. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLineParser, isReject } from '../../packages/core/src/log-formats/index.ts';
import { PROPERTY, startIngest } from '../../packages/server/src/ingest/testing/harness.ts';
import { visitOf } from '../../packages/tail/src/visit.ts';
import { READ_AS } from './said.ts';
import { binaryOf, makeCertificate, SERVERS, startServer, TIME_ZONE } from './servers.ts';
import { recordSigned, type SignedRecording } from './signed.ts';

/** The logs that hold the headers of a signed request. */
const LOGS = { nginx: 'nginx_json', apache: 'apache_json', caddy: 'caddy', haproxy: 'haproxy' } as const;

const textOf = (line: string): string => Buffer.from(line, 'latin1').toString('utf8');

/** What the service makes of the lines as a server's own, and as `ghostlight-tail` sends them. */
async function verdicts(server: keyof typeof LOGS, { at, agent, requests }: SignedRecording) {
  const log = LOGS[server];
  const { format, options = {} } = READ_AS[log] ?? { format: 'json' };
  const parser = createLineParser(format, options);
  const found: Record<string, readonly [raw: string, tail: string]> = {};
  const ingest = await startIngest({ agents: [agent], now: () => at + 60_000 });
  const taken = async (source: string, body: string, query: string): Promise<string> => {
    const before = ingest.spool.hits.length;
    const { status, text } = await ingest.post(source, body, {
      query: `?attribution_id=${PROPERTY}${query}`,
    });
    expect(status, text).toBeLessThan(300);
    const [hit] = ingest.spool.hits.slice(before);
    return hit === undefined ? 'not kept' : `${hit.verified} ${hit.verdict_reason}`;
  };
  try {
    for (const [index, { name, lines }] of requests.entries()) {
      const [line = ''] = lines[log] ?? [];
      const fields =
        options.captures === undefined ? '' : `&fields=${options.captures.join(',')}&time_zone=${TIME_ZONE}`;
      const raw = await taken(server, textOf(line), fields);
      const parsed = parser.parseLine(textOf(line));
      if (parsed === null || isReject(parsed)) throw new Error(`${name}: ${line}`);
      const visit = visitOf(parsed, 'signed', parsed.ip, `request-${index}`);
      found[name] = [raw, await taken('tail', JSON.stringify(visit), '')];
    }
    return found;
  } finally {
    await ingest.close();
  }
}

const expected = ({ requests }: SignedRecording) =>
  Object.fromEntries(requests.map(({ name, verdict }) => [name, [verdict, verdict]]));

describe.each(SERVERS)('%s', (name) => {
  it('was recorded: the signed requests are verified, and no other', async () => {
    const text = readFileSync(new URL(`recordings/${name}-signed.json`, import.meta.url), 'utf8');
    const recording = JSON.parse(text) as SignedRecording;
    expect(recording.requests.length).toBeGreaterThan(15);
    expect(await verdicts(name, recording)).toEqual(expected(recording));
  });

  let stop: (() => Promise<void>) | null = null;
  afterEach(async () => {
    await stop?.();
    stop = null;
  });

  it.skipIf(binaryOf(name) === null)('writes lines that are verified now', async () => {
    const folder = mkdtempSync(join(tmpdir(), `ghostlight-${name}-`));
    chmodSync(folder, 0o755);
    const certificate = makeCertificate(folder);
    if (certificate === null) throw new Error('openssl is not installed.');
    const server = await startServer(name, folder, '', certificate);
    stop = async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const recording = await recordSigned(server);
    expect(await verdicts(name, recording)).toEqual(expected(recording));
  });
});
