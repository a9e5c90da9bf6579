import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { type Database, openDatabase } from '../database/index.ts';
import { silentLog } from '../database/testing.ts';
import { createProperties } from '../properties/index.ts';
import { ownersOf } from './owners.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-owners-'));
let database: Database;
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('resolves more unknown ids than the properties room lets wait at a time, so that one body of guesses is no outage', async () => {
  database = await openDatabase({ url: null, dataDir, log: silentLog, clock: Date.now });
  const properties = createProperties(database, { clock: Date.now });
  const scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID } as const;
  const actor = 'test';
  const known = await properties.create(scope, actor, { name: 'Shop', domain: 'shop.example' });
  const ids = new Set([...Array.from({ length: 2_500 }, () => randomUUID()), known.id]);
  const owners = await ownersOf(properties, ids);
  expect(owners.size).toBe(2_501);
  expect([...owners].filter(([, owner]) => owner !== null)).toEqual([[known.id, DEFAULT_ORGANIZATION_ID]]);
});
