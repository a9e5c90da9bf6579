import { expect, it } from 'vitest';
import type { Manifest } from '../backup/index.ts';
import { factsOf } from './backup.ts';

const manifest = (elsewhere?: Manifest['spools']['elsewhere']): Manifest => ({
  ...{ format: 1, version: '1.0.0', created_at: '2026-11-22T12:00:00.000Z', node_id: 'a' },
  state: { kind: 'server', migration: '0001', tables: [] },
  warehouse: { kind: 'server', schema: 1, database: 'd', tables: [], stored_at: 'Disk' },
  spools: {
    kind: 'file',
    format: 1,
    tables: [],
    figures: {},
    ...(elsewhere === undefined ? {} : { elsewhere }),
  },
  ...{ secret_key_id: '', secrets: null, files: 0, bytes: 0 },
});

it('names the spools that a backup can’t have, and what to do', () => {
  const seen_at = '2026-11-22T11:59:30.000Z';
  const [, , ...said] = factsOf(
    manifest([
      { node_id: 'b', name: 'web-2', waiting: 1_234, seen_at, running: true, stopped: false },
      { node_id: 'c', name: 'web-3', waiting: 1, seen_at, running: false, stopped: true },
      { node_id: 'd', name: 'web-4', waiting: 0, seen_at, running: false, stopped: false },
    ]),
  );
  expect(said).toEqual([
    'Not in this backup: the spools of other nodes, which are on their own disk (SPOOL=file).',
    '  web-2 (node b): 1,234 rows waiting at 2026-11-22T11:59:30.000Z',
    '  web-3 (node c): 1 row waiting when it stopped, 2026-11-22T11:59:30.000Z',
    '  web-4 (node d): 0 rows waiting when it was last heard of, 2026-11-22T11:59:30.000Z. It may have taken hits since',
    'To have every hit in one backup, use SPOOL=postgres, or run "ghostlight spool drain" on those nodes first.',
  ]);
  // Backups of earlier versions say nothing of it.
  expect(factsOf(manifest())).toHaveLength(2);
});
