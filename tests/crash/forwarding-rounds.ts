/**
 * The promise of forwarding, tried the hard way: the process is killed with SIGKILL again and again while a shop posts conversions and the
 * platforms answer slowly. What was cut off is posted again, as shops do. In the end each platform that keeps one event for a key has
 * accepted every conversion once; Google Analytics, which keeps every lead that it gets, has none twice, and those that it may not have
 * are shown as unknown.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  closeShop,
  connectAll,
  convert,
  type Delivery,
  openShop,
  type Shop,
  settled,
  visitor,
} from '../harness/forwarding.ts';
import type { PlatformName } from '../platforms/index.ts';

export interface ForwardingCrashReport {
  rounds: number;
  /** Acknowledged, and matched. */
  conversions: number;
  deliveries: number;
  /** Sent again because their outcome was unknown, and counted once by the platform. */
  absorbed: number;
  /** At Google Analytics: in doubt, and not sent again. */
  unknown: number;
  /** Sentences, each about one conversion at one platform. */
  faults: string[];
}

const LIFE_MS = { min: 150, max: 1_500 };
/** Long enough that a kill finds requests under way at most times. */
const ANSWER_MS = 60;
const SENDERS = 4;
const TOPICS = ['purchase', 'lead'] as const;
const AWAY_MS = 20;
const FIRST_ANSWER_MS = 20_000;
const SETTLED_WITHIN_MS = 120_000;

interface Posted {
  readonly topic: (typeof TOPICS)[number];
  readonly order: string;
  /** Ours, as it was answered. */
  readonly id: string;
}

/** @param progress called after each round */
export async function forwardingCrashRounds(
  rounds: number,
  progress: (round: number, conversions: number) => void,
): Promise<ForwardingCrashReport> {
  const shop = await openShop({ LOG_LEVEL: 'error' });
  try {
    await connectAll(shop);
    const known = await visitor(shop);
    for (const platform of shop.platforms.all) platform.slow(ANSWER_MS);
    const posted: Posted[] = [];
    const cutOff: Omit<Posted, 'id'>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const stop = new AbortController();
      const sending = Array.from({ length: SENDERS }, (_, sender) =>
        postOrders(shop, known, `${round}-${sender}`, posted, cutOff, stop.signal),
      );
      // Every second kill meets a service at work, however busy the machine is.
      const before = posted.length;
      const deadline = Date.now() + (round % 2 === 0 ? FIRST_ANSWER_MS : 0);
      while (posted.length === before && Date.now() < deadline) await sleep(AWAY_MS);
      await sleep(LIFE_MS.min + Math.random() * (LIFE_MS.max - LIFE_MS.min));
      await shop.service.stop('SIGKILL');
      stop.abort();
      await Promise.all(sending);
      await shop.service.start();
      progress(round + 1, posted.length);
    }
    for (const { topic, order } of cutOff)
      posted.push({ topic, order, id: await post(shop, known, topic, order) });
    const all = await settled(shop, { withinMs: SETTLED_WITHIN_MS });
    return judge(shop, rounds, posted, all);
  } finally {
    await closeShop(shop);
  }
}

/** @param cutOff what may stand or not; each is posted again in the end */
async function postOrders(
  shop: Shop,
  known: string,
  prefix: string,
  posted: Posted[],
  cutOff: Omit<Posted, 'id'>[],
  signal: AbortSignal,
): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const topic = TOPICS[count % TOPICS.length] ?? 'purchase';
    const order = `order-${prefix}-${count}`;
    try {
      posted.push({ topic, order, id: await post(shop, known, topic, order) });
    } catch {
      cutOff.push({ topic, order });
    }
    await sleep(AWAY_MS);
  }
}

async function post(shop: Shop, known: string, topic: string, order: string): Promise<string> {
  const body = {
    conversion_id: order,
    visitor_id: known,
    value: 10,
    currency: 'EUR',
    user_data: { email: 'jane@mail.example' },
  };
  const { id, session_matched } = await convert(shop, topic, body);
  if (!session_matched) throw new Error(`${order} is not matched`);
  return id;
}

function judge(
  shop: Shop,
  rounds: number,
  posted: readonly Posted[],
  all: readonly Delivery[],
): ForwardingCrashReport {
  const names = Object.keys(shop.platforms.of) as PlatformName[];
  const faults: string[] = [];
  const states = new Map(all.map((one) => [`${one.platform} ${one.conversion}`, one]));
  for (const name of names) {
    const { accepted, refusals } = shop.platforms.of[name].fake.ledger;
    for (const refusal of refusals) faults.push(`${name} refused: ${refusal}`);
    // Keys end with the shop's id of the order; the receiver of webhooks knows ours.
    const counts = new Map<string, number>();
    for (const { key } of accepted) {
      const known = key.slice(key.lastIndexOf(':') + 1);
      counts.set(known, (counts.get(known) ?? 0) + 1);
    }
    for (const { topic, order, id } of posted) {
      const known = name === 'webhook' ? id : order;
      const count = counts.get(known) ?? 0;
      counts.delete(known);
      const state = states.get(`${name} ${id}`)?.status;
      const inDoubt = name === 'ga4' && topic === 'lead' && state === 'unknown';
      if (inDoubt ? count > 1 : count !== 1 || state !== 'delivered')
        faults.push(`${name} has ${topic} ${order} ${count} times, its delivery is ${state}`);
    }
    for (const known of counts.keys()) faults.push(`${name} has ${known}, which was never posted`);
  }
  if (states.size !== posted.length * names.length)
    faults.push(`${states.size} deliveries stand where ${posted.length * names.length} are due`);
  return {
    rounds,
    conversions: posted.length,
    deliveries: states.size,
    absorbed: names.reduce((sum, name) => sum + shop.platforms.of[name].fake.ledger.absorbed.length, 0),
    unknown: all.filter(({ status }) => status === 'unknown').length,
    faults,
  };
}
