/**
 * A data directory for what is measured at size: twenty properties with fifty million hits of 90 days, one of them with 2.5 million and one
 * with 20, counted into daily rows by the real run. BENCH_HITS: fewer in all, in the same proportions. BENCH_DATA: a folder that is filled
 * when it is empty and used again as it is when it is full (filling takes half an hour); else a folder of its own, removed afterwards.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@ghostlight/core/time';
import { openWarehouse } from '../packages/server/src/warehouse/index.ts';
import { silent } from '../packages/server/src/warehouse/testing/warehouse.ts';
import { ADMIN_TOKEN, TestService } from '../tests/harness/service.ts';
import { thousands } from './harness.ts';
import { DAYS, makeHits, type Owned } from './report-hits.ts';

const HITS = Number(process.env['BENCH_HITS'] ?? 50_000_000);
const PROPERTIES = 20;
const MIDDLE = 0.05;
const LARGE = 0.4;
/** Written when all hits are stored, and again with each day that is counted: what the folder holds, and how far it is. */
const LABEL = 'bench-store.json';

export type Filled = Owned & { readonly hits: number };

interface Label {
  /** Of all properties. */
  readonly hits: number;
  /** When the last hit came, epoch milliseconds. Its day is open, however long ago that is. */
  readonly until: number;
  readonly adminToken: string;
  /** The two that are measured first. */
  readonly properties: readonly Filled[];
  /** Days that are in daily rows, oldest first: all but the last when the folder is ready. */
  readonly counted: number;
}

export interface ReportStore extends Label {
  /** Not started. `dispose` leaves a folder that was given. */
  readonly service: TestService;
}

export async function openReportStore(environment: Record<string, string> = {}): Promise<ReportStore> {
  const given = process.env['BENCH_DATA'];
  const folder = given === undefined ? null : resolve(given);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const service = new TestService({ LOG_LEVEL: 'error', ...environment }, 'serve', folder);
  const label = join(service.dataDir, LABEL);
  const note = (of: Label) => writeFileSync(label, `${JSON.stringify(of, null, 2)}\n`);
  if (folder !== null && !existsSync(label) && readdirSync(folder).length > 0)
    throw new Error(`${folder} holds something else, or its hits were not stored to their end`);
  try {
    let store = existsSync(label) ? (JSON.parse(readFileSync(label, 'utf8')) as Label) : await fill(service);
    note(store);
    if (store.counted < DAYS - 1) {
      await service.start();
      while (store.counted < DAYS - 1) {
        await count(service, dateAgo(store, DAYS - 1 - store.counted));
        store = { ...store, counted: store.counted + 1 };
        note(store);
        progress(`${store.counted} of ${DAYS - 1} days counted`);
      }
      await countRest(service, store);
      await service.stop();
    }
    return { service, ...store };
  } catch (error) {
    await service.dispose();
    throw error;
  }
}

/** `YYYY-MM-DD`, so many days before the last hit's. */
export const dateAgo = ({ until }: Pick<Label, 'until'>, days: number): string =>
  new Date(until - days * DAY_MS).toISOString().slice(0, 10);

export const progress = (line: string): void => void process.stderr.write(`  ${line}\n`);

async function fill(service: TestService): Promise<Label> {
  await service.start();
  const properties = await ownedProperties(service);
  await service.stop();
  const until = Date.now();
  const warehouse = await openWarehouse({
    url: null,
    dataDir: service.dataDir,
    retentionDays: 400,
    log: silent,
    clock: Date.now,
  });
  let made = 0;
  try {
    for (const [seed, property] of properties.entries())
      await makeHits(warehouse, property, {
        hits: property.hits,
        now: until,
        seed,
        done(rows) {
          made += rows;
          progress(`${thousands(made)} of ${thousands(HITS)} hits`);
        },
      });
  } finally {
    await warehouse.close();
  }
  return { hits: made, until, adminToken: ADMIN_TOKEN, properties, counted: 0 };
}

async function ownedProperties(service: TestService): Promise<Filled[]> {
  const rest = (HITS * (1 - MIDDLE - LARGE)) / (PROPERTIES - 2);
  const properties: Filled[] = [];
  for (let index = 0; index < PROPERTIES; index += 1) {
    const { body } = await service.api('POST', '/api/v1/properties', {
      name: `Shop ${index}`,
      domain: 'shop.example',
    });
    const { id, organization_id } = body as { id: string; organization_id: string };
    const hits = Math.round([HITS * MIDDLE, HITS * LARGE][index] ?? rest);
    properties.push({ attributionId: id, organizationId: organization_id, hits });
  }
  return properties;
}

const PAUSE_MS = 1_000;

/** A day of all properties, by itself, so that no request waits for all days. */
const count = async (service: TestService, date: string): Promise<void> =>
  void (await rollUp(service, { date }));

/** The run that finds nothing left to do, and merges. */
async function countRest(service: TestService, store: Label): Promise<void> {
  const days = await rollUp(service, {});
  // Midnight may have passed meanwhile.
  if (days.some((day) => day < dateAgo(store, 0))) throw new Error('a day had grown');
}

/**
 * Waits for its turn: other jobs of the service count days too. On a busy machine a run may take longer than its connection lives; the next
 * one finds what is left. @returns the days that were counted
 */
async function rollUp(service: TestService, asked: { date?: string }): Promise<string[]> {
  for (;;) {
    const answer = await service.api('POST', '/api/v1/rollup', asked).catch((error: unknown) => {
      progress(`rollup: ${error}`);
      return null;
    });
    if (answer !== null && answer.status !== 200)
      throw new Error(`rollup: ${answer.status} ${JSON.stringify(answer.body)}`);
    const { ran, days } = (answer?.body ?? { ran: false, days: [] }) as {
      ran: boolean;
      days: { day: string }[];
    };
    if (ran) return days.map(({ day }) => day);
    if (!service.alive) throw new Error(`the service has ended:\n${service.log.slice(-4_000)}`);
    await sleep(PAUSE_MS);
  }
}
