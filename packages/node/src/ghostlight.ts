/** Puts the parts together. Every instance has its own: nothing is shared, and nothing happens before the first request. */
import { isbot } from 'isbot';
import { createLog } from '../../collector/src/log.ts';
import { createSignatureVerifier } from '../../collector/src/signature/index.ts';
import type { Ghostlight, GhostlightOptions, Stats } from './api.ts';
import { flushOnExit } from './exit.ts';
import { express, fastify, http, koa } from './frameworks/messages.ts';
import { hono, next } from './frameworks/requests.ts';
import type { Site } from './frameworks/site.ts';
import { createServedLists } from './lists.ts';
import { createManifest } from './manifest.ts';
import { createOrdinary } from './ordinary.ts';
import { readSettings, type Settings } from './settings.ts';
import { Shipper } from './shipper.ts';
import { Watcher } from './watcher.ts';

const FLUSH_MS = 5_000;
/** How long a runtime that would stop is kept for a batch. */
const KEEP_ALIVE_MS = 15_000;

/** What the world gives; tests have their own. */
export interface World {
  readonly now: () => number;
  readonly random: () => number;
  /** @returns what takes it back */
  readonly later: (ms: number, work: () => void) => () => void;
}

const WORLD: World = {
  now: () => Date.now(),
  random: () => Math.random(),
  later(ms, work) {
    const timer = setTimeout(work, ms);
    // At the edge timers are numbers.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};

/** Never throws: what can't be used is said, and the application runs as usual. */
export function createGhostlight(options: GhostlightOptions, world: World = WORLD): Ghostlight {
  const given =
    typeof options === 'object' && options !== null ? options : ({} as Partial<GhostlightOptions>);
  const write = writerOf(given.log);
  const { settings, problems } = readSettings(given);
  for (const problem of problems) write(problem);
  const running = settings === null ? null : start(settings, given, write, world);
  const site: Site = running?.site ?? ABSENT;
  return {
    express: express(site),
    fastify: fastify(site),
    hono: hono(site),
    koa: koa(site),
    next: next(site),
    http: http(site),
    stats: () => running?.stats() ?? nothing('The options can’t be used.'),
    flush: async (timeoutMs = FLUSH_MS) => running?.flush(timeoutMs),
    close: async (timeoutMs = FLUSH_MS) => running?.close(timeoutMs),
  };
}

const ABSENT: Site = { look: () => null, report: async () => {}, manifest: () => null };

interface Running {
  readonly site: Site;
  stats(): Stats;
  flush(timeoutMs: number): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

function start(
  settings: Settings,
  given: Partial<GhostlightOptions>,
  write: (sentence: string) => void,
  { now, random, later }: World,
): Running {
  const debug = guarded(given.debug);
  const say = once(write);
  // Looked up at each call, as a function of its own; Next's would keep answers.
  const fetch: typeof globalThis.fetch = (input, init) =>
    (given.fetch ?? globalThis.fetch)(input, { ...init, cache: 'no-store' });
  const lists = createServedLists({ fetch, now, random, log: say }, settings.url);
  const shipper = new Shipper({
    ...{ fetch, now, random, later, debug, say: write },
    ...{ key: settings.key, maxQueue: settings.maxQueue },
    url: `${settings.url}/v1/logs/node?attribution_id=${settings.attributionId}`,
  });
  const isBot = (userAgent: string): boolean => isbot(userAgent);
  const watcher = new Watcher({
    ...{ settings, lists, shipper, isBot, now, random, say, debug },
    ordinary: createOrdinary(isBot),
    signatures: createSignatureVerifier({ fetch, openCache: async () => null, now, log: say }),
  });
  const manifest = createManifest(settings, { fetch, now, log: say });
  let isClosed = false;
  let stopListening: (() => void) | null = null;

  const within = (ms: number, work: Promise<unknown>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = later(ms, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
    return promise;
  };
  const sendAll = async (): Promise<void> => {
    await watcher.settled();
    await shipper.drain();
  };
  const isIdle = (): boolean => watcher.judging === 0 && shipper.isIdle;
  const flush = (timeoutMs: number): Promise<void> => within(timeoutMs, sendAll());

  return {
    flush,
    site: {
      look(incoming) {
        if (isClosed) return null;
        if (given.flushOnExit !== false) stopListening ??= flushOnExit(flush, isIdle);
        return watcher.look(incoming);
      },
      async report(sighting, ending) {
        if (await watcher.report(sighting, ending)) await within(KEEP_ALIVE_MS, shipper.tried());
      },
      manifest: (incoming) => (isClosed ? null : manifest(incoming)),
    },
    async close(timeoutMs) {
      isClosed = true;
      await flush(timeoutMs);
      shipper.stop();
      stopListening?.();
      const visits = shipper.waiting;
      if (visits > 0) debug({ type: 'dropped', visits, reason: 'closed' });
    },
    stats: () => ({
      requests: watcher.requests,
      visits: watcher.visits,
      others: watcher.others,
      waiting: watcher.judging + shipper.waiting,
      sent: shipper.sent,
      lost: shipper.lost + watcher.overrun,
      lostOthers: shipper.lostOthers,
      ...shipper.answered,
      lists: lists.current().origin === 'served' ? 'service' : 'packed',
      problem: shipper.problem,
    }),
  };
}

const nothing = (problem: string): Stats => ({
  ...{ requests: 0, visits: 0, others: 0, waiting: 0, sent: 0, lost: 0, lostOthers: 0 },
  ...{ kept: 0, duplicate: 0, dropped: 0, rejected: 0, lists: 'packed', problem },
});

/** What a callback of the application throws, or a promise of its, is its own matter. */
function guarded<Value>(callback: unknown): (value: Value) => void {
  if (typeof callback !== 'function') return () => {};
  return (value) => {
    try {
      const result: unknown = callback(value);
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // Ours goes on.
    }
  };
}

function writerOf(log: unknown): (sentence: string) => void {
  if (typeof log === 'function') return guarded<string>(log);
  // biome-ignore lint/suspicious/noConsole: without a log of the application's the console is where a person looks
  return (sentence) => console.warn(`ghostlight: ${sentence}`);
}

/** Each sentence once, and not more than a hundred. */
function once(write: (sentence: string) => void): (sentence: string) => void {
  return createLog((line) => write(line.slice('ghostlight: '.length)));
}
