import { expect, it } from 'vitest';
import { spoolFindings, storeFindings } from './doctor-storage.ts';

const GIB = 1024 ** 3;
const OK = { checks: { spool: 'ok', database: 'ok', warehouse: 'ok' } } as const;
const textsOf = (...given: Parameters<typeof storeFindings>) =>
  storeFindings(...given).map(({ level, text }) => `${level}: ${text}`);

it('says of each store that it works, and how much room there is', () => {
  expect(textsOf(OK, { path: '/data', free: 12.34 * GIB })).toEqual([
    'good: 12.3 GiB are free for the data directory.',
    'good: The spool takes hits.',
    'good: The database answers.',
    'good: The warehouse answers.',
  ]);
});

it('names the disk when it is full, and says nothing good of the spool on it', () => {
  const full = textsOf(OK, { path: '/data', free: 3 * 1024 ** 2 });
  expect(full[0]).toMatch(/^bad: The disk of \/data is full \(3 MiB are free\)/);
  expect(full.join('\n')).not.toContain('spool takes hits');
});

it('gives the reason of each store that fails, and warns of little room', () => {
  const reasons = { spool: 'This node is not accepting hits: the disk is full.' };
  const checks = { spool: 'failing', database: 'ok', warehouse: 'failing' } as const;
  expect(textsOf({ checks, reasons }, { path: '/data', free: GIB })).toEqual([
    'bad: Only 1.0 GiB are free for /data: free up space, or ingest will return 503.',
    'bad: This node is not accepting hits: the disk is full. The log of this service says more.',
    'good: The database answers.',
    'bad: The warehouse does not answer. The log of this service says more.',
  ]);
});

it('says what an acknowledged hit survives where the spool is in PostgreSQL', () => {
  const spool = {
    ...{ pending_rows: 0, oldest_seconds: 0, last_error: null, parked_batches: 0, damages: [] },
    acknowledged_note: 'The sentence.',
  };
  const levels = (['node', 'memory', 'server', 'standby'] as const).map((acknowledged_on) =>
    spoolFindings({ ...spool, acknowledged_on }).map(({ level, text }) => `${level}: ${text}`),
  );
  expect(levels).toEqual([[], ['bad: The sentence.'], ['note: The sentence.'], ['good: The sentence.']]);
});
