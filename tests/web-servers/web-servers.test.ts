/** Lines of real servers, read by the decoders: as recorded, and as the servers that are installed here write them now. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { detectFormat } from '../../packages/core/src/log-formats/index.ts';
import { type Recorded, record } from './record.ts';
import { REQUESTS } from './requests.ts';
import { compare, READ_AS } from './said.ts';
import { binaryOf, SERVERS, startServer, versionOf } from './servers.ts';

/** What their servers answer without a line in the log. */
const SILENT = new Set([
  ...['an empty line', 'no protocol', 'TLS on a plain port', 'OPTIONS *', 'a blank in the path'],
  ...['a control character in a header', 'a zero byte in a header'],
]);

interface Recording {
  readonly version: string;
  readonly requests: readonly Recorded[];
}

function readRecording(server: string): Recording {
  return JSON.parse(readFileSync(new URL(`recordings/${server}.json`, import.meta.url), 'utf8'));
}

function expectAllRead(recorded: readonly Recorded[]): void {
  expect(recorded.map(({ name }) => name)).toEqual(REQUESTS.map(({ name }) => name));
  for (const [index, one] of recorded.entries()) {
    const request = REQUESTS[index] as (typeof REQUESTS)[number];
    for (const [log, lines] of Object.entries(one.lines)) {
      const told = `${log}: ${one.name}`;
      if (!SILENT.has(one.name)) expect(lines, told).toHaveLength(1);
      for (const line of lines) {
        const { expected, read } = compare(log, line, request, one);
        expect(read, told).toEqual(expected);
      }
    }
  }
}

describe.each(SERVERS)('%s', (name) => {
  it('was recorded, and each line is read as what was asked', () => {
    expectAllRead(readRecording(name).requests);
  });

  it('is known by its lines', () => {
    for (const log of Object.keys(readRecording(name).requests[0]?.lines ?? {})) {
      const lines = readRecording(name).requests.flatMap((one) => one.lines[log] ?? []);
      const { format, options } = READ_AS[log] ?? { format: 'json' };
      const found = detectFormat(lines, options)?.format;
      const ours = { nginx: ['combined', 'nginx_json'], apache: ['combined', 'apache_json'] }[
        format as string
      ];
      expect(ours ?? [format], log).toContain(found);
    }
  });

  let stop: (() => Promise<void>) | null = null;
  afterEach(async () => {
    await stop?.();
    stop = null;
  });

  // Debian's packages nginx, apache2, caddy and haproxy; CI installs them.
  it.skipIf(binaryOf(name) === null)('writes now what was recorded then', async () => {
    const folder = mkdtempSync(join(tmpdir(), `ghostlight-${name}-`));
    chmodSync(folder, 0o755);
    const server = await startServer(name, folder);
    stop = async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const recorded = await record(server);
    expectAllRead(recorded);
    // Other versions may refuse other requests.
    const { version, requests } = readRecording(name);
    if (version !== versionOf(name)) return;
    const answers = (all: readonly Recorded[]) => all.map(({ name: of, status }) => [of, status]);
    expect(answers(recorded)).toEqual(answers(requests));
  });
});
