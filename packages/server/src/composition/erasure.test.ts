/** After an erasure no trace of the person is in the data directory: neither in rows, nor in freed pages, logs, or kept files. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSecretCipher, type Database, openDatabase } from '../database/index.ts';
import { eraseDeliveries } from '../forwarding/erasure.ts';
import { markOf, markText } from '../sessions/erased-mark.ts';
import { createErasure } from '../sessions/erasure.ts';
import { openSpool, type Spool } from '../spool/index.ts';
import { entry, RecordingSink, silent } from '../spool/testing.ts';
import { eraseVisitor, findByEmail } from '../webhooks/erasure.ts';

const NOW = 1_800_000_000_000;
const VISITOR = '0b9f6c1e-5d3a-4c1f-9a77-3e2d1c0b9a88';
const EMAIL = 'jane.roe@shop.example';
const property = { id: randomUUID(), organizationId: randomUUID() };
const owner = { attribution_id: property.id, organization_id: property.organizationId };
const cipher = createSecretCipher('k'.repeat(43), null);

let directory: string;
let database: Database;
let accepted: Spool;
let rows: Spool;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ghostlight-erasure-'));
  database = await openDatabase({ url: null, dataDir: directory, log: silent });
  const open = (name: string) =>
    openSpool({
      directory: join(directory, 'spool'),
      name,
      maxBytes: 1e8,
      secureDelete: true,
      clock: () => NOW,
      log: silent,
    });
  accepted = await open('events');
  rows = await open('event-rows');
});
afterEach(async () => {
  await Promise.all([accepted.close(), rows.close()]);
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Files below the directory in which one of the texts stands, in any of its usual forms. */
function filesWith(...texts: readonly string[]): string[] {
  const forms = texts.flatMap((text) => {
    const hash = createHash('sha256').update(text).digest();
    const plain = Buffer.from(text);
    return [
      plain,
      Buffer.from(text, 'utf16le'),
      plain.toString('hex'),
      plain.toString('base64').replace(/=+$/, ''),
      hash,
      hash.toString('hex'),
    ];
  });
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(directory, name)).isFile())
    .filter((name) => {
      const bytes = readFileSync(join(directory, name));
      return forms.some((form) => bytes.includes(form));
    });
}

async function fill(): Promise<void> {
  const { kysely } = database;
  await sql`pragma foreign_keys = off`.execute(kysely);
  const requests = (received: string, conversion: string | null) => ({
    ...{
      ...owner,
      id: randomUUID(),
      at: NOW,
      status: 'success' as const,
      http_status: 200,
      topic: 'purchase',
      session_matched: 0,
    },
    ...{
      match_reason: null,
      conversion_row: conversion,
      conversion_id: null,
      key_prefix: null,
      error: null,
      count: 1,
      judgement: null,
    },
    received,
  });
  // Long, so that they fill pages of their own, which deleting frees.
  const long = JSON.stringify({ visitor_id: VISITOR, more: VISITOR.repeat(800) });
  const personal = JSON.stringify({ user_data: { email: ` ${EMAIL.toUpperCase()} ` }, extra: {} });
  await kysely
    .insertInto('conversions')
    .values({
      ...{
        ...owner,
        id: 'cnv_1',
        topic: 'purchase',
        idempotency_key: 'c:1',
        conversion_id: '1',
        visitor_id: VISITOR,
      },
      ...{
        occurred_at: NOW,
        received_at: NOW,
        products: '[]',
        personal: cipher.encrypt(personal, 'conversion:cnv_1'),
      },
      ...{
        personal_until: NOW + 1,
        payload_digest: 'x',
        session_matched: 1,
        match_reason: 'matched',
        touches: long,
      },
    })
    .execute();
  await kysely
    .insertInto('webhook_requests')
    .values([
      requests(long, 'cnv_1'),
      requests(JSON.stringify({ visitor_id: `v1.${VISITOR.toUpperCase()}.1` }), null),
    ])
    .execute();
  for (const spool of [accepted, rows]) {
    const line = JSON.stringify({
      attribution_id: property.id,
      visitor_id: VISITOR,
      text: VISITOR.repeat(500),
    });
    await spool.append(
      entry([{ line, month: '202701', dedupKey: null, label: 'event' }], { endpoint: 'browser' }),
    );
    const shipper = spool.startShipper(new RecordingSink(), { gatherMs: 1 });
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
    // What the store refused is kept for a week.
    const refused = {
      organizationId: property.organizationId,
      attributionId: null,
      endpoint: 'browser' as const,
    };
    const quarantine = [{ ...refused, reason: 'unstorable', field: null, body: line, at: NOW }];
    await spool.append(
      entry([], { endpoint: 'browser', received: 1, rejected: { unstorable: 1 }, quarantine }),
    );
  }
}

const parts = (): Parameters<typeof createErasure>[0] => ({
  database,
  events: { erase: async () => 1 },
  spools: { accepted, rows },
  onErase: async (trx, of, whose) => ({
    deliveries: await eraseDeliveries(trx, of, whose, NOW),
    ...(await eraseVisitor(trx, of, whose)),
  }),
  findByEmail: (of, email) => findByEmail(database, cipher, of, email),
  clock: () => NOW,
  log: silent,
});
const erasure = () => createErasure(parts());

it('by the visitor’s id', async () => {
  await fill();
  expect(filesWith(VISITOR).length).toBeGreaterThan(2);
  const erased = await erasure().eraseVisitor(property, 'root', VISITOR);
  expect(erased).toMatchObject({ visitors: 1, conversions: 1, requests: 2, events: 1 });
  expect(erased.goneBy).toBeGreaterThan(NOW);
  expect(filesWith(VISITOR, VISITOR.toUpperCase())).toEqual([]);
});

it('of a visitor of whom nothing is known tells of none', async () => {
  await fill();
  const unknown = createErasure({ ...parts(), events: { erase: async () => 0 } });
  expect(await unknown.eraseVisitor(property, 'root', 'never-seen')).toMatchObject({
    ...{ visitors: 0, sessions: 0, touches: 0, conversions: 0, events: 0 },
  });
});

it('by the email address of an order', async () => {
  await fill();
  const nothing = await erasure().eraseByEmail(property, 'root', 'joe@shop.example');
  expect(nothing).toMatchObject({ visitors: 0, conversions: 0 });
  const erased = await erasure().eraseByEmail(property, 'root', EMAIL);
  expect(erased).toMatchObject({ visitors: 1, conversions: 1, requests: 2 });
  expect(filesWith(VISITOR, EMAIL)).toEqual([]);
  const [conversion] = await database.reader.selectFrom('conversions').selectAll().execute();
  expect(conversion).toMatchObject({ personal: null, visitor_id: null });
});

it('of others nothing goes', async () => {
  await fill();
  await erasure().eraseVisitor({ ...property, organizationId: randomUUID() }, 'root', VISITOR);
  const [conversion] = await database.reader.selectFrom('conversions').selectAll().execute();
  expect(conversion).toMatchObject({ visitor_id: VISITOR });
});

it('again by its mark, which names no one, when a restore has brought the visitor back', async () => {
  await fill();
  const mark = markText(markOf(VISITOR));
  const others = Array.from({ length: 600 }, (_, number) => ({
    ...{ ...owner, visitor_id: `a-${number}`, first_seen: NOW, last_seen: NOW },
  }));
  await database.kysely.insertInto('visitors').values(others).execute();
  await database.kysely
    .insertInto('erased_visitors')
    .values({ ...owner, visitor_id: mark, at: NOW - 1_000_000, swept: 2 })
    .execute();
  const swept: string[] = [];
  const again = createErasure({
    ...parts(),
    events: {
      async erase(_, { salt, digest }) {
        swept.push(`${salt}.${digest}`);
        return 1;
      },
    },
  });
  await again.sweep();
  const { kysely } = database;
  expect(
    await kysely.selectFrom('conversions').select(['visitor_id', 'touches', 'personal']).execute(),
  ).toEqual([{ visitor_id: null, touches: '[]', personal: null }]);
  expect(swept).toEqual([mark]);
  expect(await kysely.selectFrom('erased_visitors').select('swept').execute()).toEqual([{ swept: 1 }]);
  const left = kysely.selectFrom('visitors').select(({ fn }) => fn.countAll<number>().as('n'));
  expect(await left.executeTakeFirst()).toEqual({ n: 600 });
});
