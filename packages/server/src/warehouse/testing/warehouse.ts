/** What the room's tests and the crash tests share: a warehouse of their own, and hits to put in. */
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredHit } from '@ghostlight/core';
import type { Clock, Log } from '../../common/index.ts';
import { openWarehouse, type RowBatch, toRow, type Warehouse } from '../index.ts';

export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export interface TestWarehouse {
  readonly warehouse: Warehouse;
  readonly dataDir: string;
  close(): Promise<void>;
}

/**
 * Where a run of tests keeps empty embedded warehouses that are migrated already, one for each retention: making the tables takes as much
 * processor time as starting the engine. The variable names a folder; its folders are named by days.
 */
export const WAREHOUSES_OF_RUN = 'GHOSTLIGHT_TEST_WAREHOUSES';

/** Puts a migrated, empty embedded warehouse into a new data directory. Without a run that offers one, the first start migrates. */
export function offerWarehouse(dataDir: string, retentionDays: number): void {
  const offered = process.env[WAREHOUSES_OF_RUN];
  if (offered === undefined) return;
  cpSync(join(offered, String(retentionDays)), dataDir, { recursive: true, verbatimSymlinks: true });
}

/** What RETENTION_DAYS is where it is not set. */
export const SERVICE_RETENTION_DAYS = 400;

/** Far enough that no test's fixed dates are ever too old. */
export const TEST_RETENTION_DAYS = 18_250;

/** Migrated and empty; on a server (`url`) the tables may hold other tests' rows, so scopes are random everywhere. */
export async function openTestWarehouse(
  options: {
    url?: string | null;
    cluster?: string | null;
    clock?: Clock;
    retentionDays?: number;
    dataDir?: string;
  } = {},
): Promise<TestWarehouse> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'ghostlight-warehouse-')));
  if (options.url == null) offerWarehouse(dataDir, TEST_RETENTION_DAYS);
  const warehouse = await openWarehouse({
    url: options.url ?? null,
    cluster: options.cluster ?? null,
    dataDir,
    retentionDays: options.retentionDays ?? TEST_RETENTION_DAYS,
    log: silent,
    clock: options.clock ?? Date.now,
    embedded: { backoff: { first: 10, maximum: 200, healthyAfter: 50 } },
  });
  await warehouse.migrate();
  return {
    warehouse,
    dataDir,
    close: async () => {
      await warehouse.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface TestScope {
  readonly organizationId: string;
  readonly attributionIds: readonly [string];
}

export const newScope = (): TestScope => ({ organizationId: randomUUID(), attributionIds: [randomUUID()] });

/** 2026-03-15T12:00:00Z: far from a month's border. */
export const NOON = Date.UTC(2026, 2, 15, 12);

export function makeHit(scope: TestScope, values: Partial<StoredHit> = {}): StoredHit {
  return {
    id: randomUUID(),
    organization_id: scope.organizationId,
    attribution_id: scope.attributionIds[0],
    at: NOON,
    received_at: NOON,
    source: 'edge_worker',
    class: 'ai_bot',
    bot_name: 'GPTBot',
    vendor: 'OpenAI',
    engine: 'openai',
    intent: 'training',
    verified: null,
    verified_by: '',
    verdict_reason: '',
    ranges_as_of: '',
    signature_agent: '',
    referrer_engine: '',
    referral_signal: '',
    host: 'shop.example',
    method: 'GET',
    path: '/',
    query_params: {},
    status: 200,
    bytes: 1234,
    country: 'DE',
    asn: 64496,
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
    referrer: '',
    sample_ip: '',
    sample_rate: 0,
    weight: 1,
    other_bot: false,
    worker_version: '1.0.0',
    ray_id: '',
    waf_action: '',
    list_version: 1,
    ...values,
  };
}

/** Every member that a row may lack. */
export const NOTHING_SAID = {
  ...{ bot_name: '', vendor: '', engine: '', intent: '', verified: null, verified_by: '' },
  ...{ verdict_reason: '', ranges_as_of: '', signature_agent: '', referrer_engine: '', referral_signal: '' },
  ...{ method: '', query_params: {}, status: 0, bytes: 0, country: '', asn: 0, user_agent: '', referrer: '' },
  ...{ sample_ip: '', sample_rate: 0, other_bot: false, worker_version: '', ray_id: '', waf_action: '' },
} as const satisfies Partial<StoredHit>;

export function makeBatch(hits: readonly StoredHit[], values: Partial<RowBatch> = {}): RowBatch {
  return {
    id: randomUUID(),
    attempt: 1,
    month: new Date(hits[0]?.at ?? NOON).toISOString().slice(0, 7).replace('-', ''),
    rows: hits.length,
    body: Buffer.from(hits.map((hit) => `${toRow(hit)}\n`).join('')),
    ...values,
  };
}
