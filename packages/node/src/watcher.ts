/** What happens to every request, as a list: a look while the application works, everything else after the response. */
import { isFilePath } from '@ghostlight/core';
import { judge, type Visit } from '../../collector/src/observe/parts.ts';
import type { SignatureVerifier } from '../../collector/src/signature/index.ts';
import type { DebugEvent } from './api.ts';
import type { Incoming } from './incoming.ts';
import { type Ending, lineOf } from './line.ts';
import type { Lists } from './lists.ts';
import type { Ordinary } from './ordinary.ts';
import type { Settings } from './settings.ts';
import type { Shipper } from './shipper.ts';
import { lookOf, visitOf } from './visit.ts';

/** A visit that may be reported. */
export interface Sighting {
  readonly visit: Visit;
  /** Drawn for the sample, should it turn out to be no AI visit. */
  readonly drawn: boolean;
}

export interface WatcherDeps {
  readonly settings: Settings;
  readonly lists: Lists;
  readonly signatures: SignatureVerifier;
  readonly ordinary: Ordinary;
  readonly shipper: Shipper;
  readonly isBot: (userAgent: string) => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** 0 ≤ n < 1 */
  readonly random: () => number;
  readonly say: (sentence: string) => void;
  readonly debug: (event: DebugEvent) => void;
}

/** On a site without AI visits: how often it is asked whether the lists are due. */
const RENEW_EVERY_MS = 60_000;

export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #judging = new Set<Promise<boolean>>();
  #renewAt = 0;
  requests = 0;
  visits = 0;
  others = 0;
  /** Visits that came while too many were being classified. */
  overrun = 0;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  get judging(): number {
    return this.#judging.size;
  }

  /** Synchronous, for every request; never throws. @returns null where nothing is to be reported after the response */
  look(incoming: Incoming): Sighting | null {
    const { settings, lists, ordinary, now, random } = this.#deps;
    try {
      this.requests += 1;
      const look = lookOf(incoming, settings);
      const { compiled } = lists.current();
      const drawn = random() < settings.sampleRate;
      const looksLikeAi = ordinary.looksLikeAi(look, incoming, compiled);
      const at = now();
      // A bot may be newer than the lists that came with the package: until the service has answered, each visit waits for its lists.
      if (drawn || looksLikeAi || lists.areExpected())
        return { visit: visitOf(incoming, look, settings, at), drawn };
      this.#count(at, look.host, look.userAgent, look.path);
      if (at >= this.#renewAt) {
        this.#renewAt = at + RENEW_EVERY_MS;
        void lists.renewed();
      }
      return null;
    } catch (error) {
      this.#fault('looking at a request', error);
      return null;
    }
  }

  /** After the response. Never throws. @returns when the visit is classified, whether it waits to be sent; never rejects */
  report({ visit, drawn }: Sighting, ending: Ending): Promise<boolean> {
    if (this.#judging.size >= this.#deps.settings.maxQueue) {
      this.overrun += 1;
      this.#deps.debug({ type: 'dropped', visits: 1, reason: 'queue_full' });
      return Promise.resolve(false);
    }
    const judging: Promise<boolean> = this.#finish(visit, drawn, ending)
      .catch((error: unknown) => {
        this.#fault('classifying a visit', error);
        return false;
      })
      .finally(() => this.#judging.delete(judging));
    this.#judging.add(judging);
    return judging;
  }

  /** When all visits until now are classified. */
  async settled(): Promise<void> {
    await Promise.all(this.#judging);
  }

  async #finish(visit: Visit, drawn: boolean, ending: Ending): Promise<boolean> {
    const { settings, lists, signatures, shipper, isBot, say, debug } = this.#deps;
    const { compiled } = await lists.renewed();
    const judgement = await judge(visit, compiled, isBot, signatures);
    if (judgement.class === 'other') {
      this.#count(visit.at, visit.host, visit.userAgent, visit.path);
      if (!drawn) return false;
    }
    this.visits += 1;
    const line = lineOf(visit, judgement, ending, settings.sampleRate);
    shipper.add(JSON.stringify(line));
    const proof = judgement.class === 'ai_bot' ? judgement.proof : null;
    if (proof !== null && visit.ip === null && settings.trust.kind === 'unsaid')
      say(
        'A bot came through a proxy, and trustProxy is not set: without an address no bot can be verified. Set it to the number of proxies.',
      );
    debug({
      type: 'visit',
      class: judgement.class === 'other' ? 'sample' : judgement.class,
      path: visit.path,
      verified: proof === null || !('verified' in line) || proof.unchecked ? null : proof.verified,
    });
    return true;
  }

  #count(at: number, host: string, userAgent: string, path: string): void {
    this.others += 1;
    const { ordinary, shipper } = this.#deps;
    const isBot = ordinary.isBot(userAgent);
    shipper.count(at, host, {
      isBot,
      program: isBot ? ordinary.programOf(userAgent) : '',
      isFile: isFilePath(path),
    });
  }

  #fault(part: string, error: unknown): void {
    const name = error instanceof Error ? error.name : 'unknown error';
    this.#deps.say(`${part} failed (${name}); the application runs as usual.`);
  }
}
