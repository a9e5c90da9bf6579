/** Log push bodies that are made to cost: little to send, much to read. Each is built when it is asked for. */
import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { logpushLines } from './logpush-lines.ts';

const MIB = 1024 ** 2;
/** A line almost as long as one may be. */
const LONG = MIB - 1024;

export interface HostileBody {
  readonly bytes: Buffer;
  /** The bytes are chunks of HTTP, sent again and again. */
  readonly inCrumbs?: boolean;
}

/** Shape → its body. */
export const HOSTILE_BODIES: Readonly<Record<string, () => Promise<HostileBody>>> = {
  'line feeds': () => repeated('\n', 208),
  blanks: () => repeated(' ', 208),
  commas: () => repeated(',', 208),
  'an array of commas': () => repeated(',', 208, '['),
  '100,000,000 lines of one digit': () => repeated('1\n', 191),
  'opening brackets': () => repeated('[', 300),
  'opening braces': () => repeated('{\n', 208),
  'empty objects, one a line': () => repeated('{}\n', 208),
  'empty objects without line feeds': () => repeated('{}', 208),
  'objects that can’t be parsed': () => repeated('{x}\n', 208),
  'one line': () => repeated('x', 512),
  zeros: () => repeated('\0', 512),
  'deep nesting': () => repeated(`{"a":${'['.repeat(LONG / 2)}${']'.repeat(LONG / 2)}}\n`, 128),
  'nested objects': () => repeated(`${'{"a":'.repeat(LONG / 6)}1${'}'.repeat(LONG / 6)}\n`, 128),
  'a hundred thousand members': () => repeated(`${membersLine()}\n`, 128),
  'an address of a megabyte': () =>
    repeated(`${line({ ClientRequestURI: `/?${'%zz%41='.repeat(LONG / 8)}` })}\n`, 128),
  'an agent of colons': () =>
    repeated(`${line({ ClientRequestHost: '', ClientIP: ':'.repeat(8_000) })}\n`, 128),
  'crawler lines': async () => gzipped(crawlerLines(), 64),
  'ordinary lines': async () => gzipped([...logpushLines(100_000, Date.now())].join('\n'), 208),
  'chunks of one byte': async () => inChunks(1),
  'chunks of four bytes': async () => inChunks(4),
  'chunks of sixteen bytes': async () => inChunks(16),
};

function line(members: Record<string, unknown>): string {
  return JSON.stringify({
    EdgeStartTimestamp: new Date().toISOString(),
    ClientRequestHost: 'shop.example',
    ClientRequestURI: '/',
    ClientRequestUserAgent: 'GPTBot/1.2',
    ...members,
  });
}

function inChunks(bytes: number): HostileBody {
  const chunk = `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
  return { bytes: Buffer.from(chunk.repeat(100_000)), inCrumbs: true };
}

function membersLine(): string {
  return `{${Array.from({ length: 100_000 }, (_, n) => `"${createHash('md5').update(String(n)).digest('hex').slice(0, 4)}":1`).join(',')}}`;
}

function crawlerLines(): string {
  return Array.from({ length: 20_000 }, (_, n) => line({ ClientRequestURI: `/p/${n}?a=b&c=d` })).join('\n');
}

async function repeated(text: string, mib: number, before = ''): Promise<HostileBody> {
  return await gzipped(text, mib, before);
}

/** The text again and again, until it has so many MiB. */
async function gzipped(text: string, mib: number, before = ''): Promise<HostileBody> {
  const unit = Buffer.from(text);
  const block = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(MIB / unit.length)) }, () => unit));
  const gzip = createGzip();
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => gzip.on('end', resolve));
  gzip.write(before);
  for (let bytes = 0; bytes < mib * MIB; bytes += block.length) {
    if (!gzip.write(block)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return { bytes: Buffer.concat(parts) };
}
