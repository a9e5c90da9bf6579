/** Watches a visit: a cheap look while the origin works, and everything else after the response has gone. */
import type { CompiledLists } from '@ghostlight/core';
import type { Forwarder } from '../forward/index.ts';
import type { Lists } from '../lists/index.ts';
import type { WorkerContext } from '../platform.ts';
import type { Forwarding } from '../settings/index.ts';
import type { SignatureVerifier } from '../signature/index.ts';
import { bodySize } from './body-size.ts';
import { judge, looksLikeAi } from './judgement.ts';
import { traitsOf, type Visit, type VisitRequest, visitOf } from './visit.ts';
import { logObject } from './wire.ts';

/** A visit that may be reported. */
export interface Sighting {
  readonly visit: Visit;
  readonly to: Forwarding;
  /** Drawn for the sample, should it turn out not to be AI. */
  readonly drawn: boolean;
  /** Known to be reported, as far as the lists in use tell. */
  readonly likely: boolean;
}

export interface Observer {
  /**
   * Synchronous, for every request, and nothing of it is waited for.
   * @returns null when there is nothing to report
   */
  look(request: VisitRequest, url: URL, to: Forwarding, ctx: WorkerContext): Sighting | null;
  /** Before the response is returned; the work itself follows in the background. */
  report(sighting: Sighting, response: Response, ctx: WorkerContext): void;
}

export interface ObserverDeps {
  readonly lists: Lists;
  readonly signatures: SignatureVerifier;
  readonly forwarder: Forwarder;
  /** The human gate of AI referrals (`isbot`). */
  readonly isBot: (userAgent: string) => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * workerd writes an answer's head only when nothing of ours is left to run, and a timer of 0 may be over before that: measured, classifying
 * and posting took a signed agent 0.5 ms before its first byte. Longer than a fresh isolate works until it answers.
 */
const HEAD_START_MS = 10;

export function createObserver(deps: ObserverDeps): Observer {
  const { lists, signatures, forwarder, isBot, now, random, sleep } = deps;

  /** The lists for classification, renewed when they are due. */
  const renewed = async ({ botlistUrl }: Forwarding, siteOrigin: string): Promise<CompiledLists> =>
    (await lists.renewed({ botlistUrl, siteOrigin })).compiled;

  async function finish(
    { visit, to, drawn }: Sighting,
    status: number,
    size: number | Promise<number>,
  ): Promise<void> {
    await sleep(HEAD_START_MS);
    const judgement = await judge(visit, await renewed(to, visit.siteOrigin), isBot, signatures);
    if (judgement.class === 'other' && !drawn) return;
    await forwarder.forward(logObject(visit, judgement, { status, bytes: await size }, to), to);
  }

  return {
    look(request, url, to, ctx) {
      if (isOwnSubrequest(request.headers, url.hostname)) return null;
      const inUse = lists.current();
      const traits = traitsOf(request, url);
      const drawn = random() < to.sampleRate;
      const likely = drawn || looksLikeAi(traits, request, inUse.compiled, isBot);
      // A fresh isolate knows only the lists that came with the code. The bot may be newer than those, so the visit is kept until
      // the served ones are there: on a quiet site every visit meets a fresh isolate.
      if (likely || inUse.origin === 'embedded')
        return { visit: visitOf(request, url, traits, now()), to, drawn, likely };
      ctx.waitUntil(renewed(to, url.origin));
      return null;
    },

    report(sighting, response, ctx) {
      const size = bodySize(sighting.visit.method, response, sighting.likely);
      ctx.waitUntil(finish(sighting, response.status, size).catch(() => {}));
    },
  };
}

/**
 * Whether a Worker of the visited zone made this request: then the visit that it serves is counted already. The edge sets `CF-Worker`
 * to the zone of the Worker that asks; who forges it only stays uncounted, as with a browser's user agent. Another zone's Worker is a
 * visitor like any other.
 */
export function isOwnSubrequest(headers: Headers, hostname: string): boolean {
  const zone = headers.get('CF-Worker')?.toLowerCase();
  return zone !== undefined && zone !== '' && (hostname === zone || hostname.endsWith(`.${zone}`));
}
