/** The hits of a day of the demo's past, as a decoder reads them; the same code classifies them as real ones. */
import { type CompiledLists, checkRanges, type ObservedHit, UNSAID } from '@ghostlight/core';
import { HOST } from '../shop.ts';
import type { Chance } from './chance.ts';
import { CRAWLERS, type Crawler, MASKED, MASKS, masksPerDay, type Network, SURGE } from './crawlers.ts';
import { type Day, momentsOf, type Rhythm } from './days.ts';
import { isQuiet, isSurge, surgeOf } from './incidents.ts';
import {
  bytesOf,
  HELP,
  HELP_PAGES,
  JOURNAL,
  JOURNAL_PAGES,
  PEOPLE_LOAD,
  PEOPLE_READ,
  SHOP_PAGES,
  statusOf,
} from './pages.ts';
import * as people from './people.ts';

/** Collectors: the shop's is kept up to date, the journal's was forgotten. */
export interface Versions {
  readonly shop: string;
  readonly journal: string;
}

/** Of a bot's visits, to hosts with a collector and to the one with log push. */
const TO_JOURNAL = 0.12;
const TO_HELP = 0.14;
const NO_QUERY: ReadonlyMap<string, string> = new Map();

interface Visitor extends Network {
  readonly userAgent: string;
}

/**
 * @param whom `reported`: what collectors report of a day; `everybody`: all visitors, of whom a collector takes samples by itself. The AI
 *   visits of a day are the same in both.
 * @returns in the order of their times
 */
export function hitsOfDay(
  day: Day,
  lists: CompiledLists,
  versions: Versions,
  chance: Chance,
  whom: 'reported' | 'everybody' = 'reported',
): ObservedHit[] {
  const hits: ObservedHit[] = [];
  let rays = 0;

  const hit = (at: number, host: string, path: string, visitor: Visitor): ObservedHit => {
    const status = statusOf(host, path, at, day, chance.next());
    rays += 1;
    return {
      ...UNSAID,
      source: 'edge_worker',
      at,
      host,
      method: chance.next() < 0.02 ? 'HEAD' : 'GET',
      path,
      ip: visitor.ip,
      userAgent: visitor.userAgent,
      status,
      bytes: bytesOf(path, status),
      country: visitor.country,
      asn: visitor.asn,
      workerVersion: host === JOURNAL ? versions.journal : versions.shop,
      // Recognizable: sixteen digits as real ones, by the day and the hit's number in it.
      rayId: `de30${day.start.toString(16).padStart(12, '0').slice(-12, -4)}${rays.toString(16).padStart(4, '0')}`,
    };
  };

  /** To one of the three hosts, with the verdict that is made there. */
  const crawl = (crawler: Crawler, from: Network, at: number): void => {
    const visitor = { ...from, userAgent: crawler.userAgent };
    const place = chance.next();
    if (place < TO_HELP) {
      const { asn: _, ...line } = hit(at, HELP, chance.weighted(HELP_PAGES), visitor);
      // The platform's own word where it knows the bot; of every other the service finds out.
      const isKnown = from === crawler && crawler.signatureAgent === undefined && chance.next() < 0.5;
      const platformCategory = isKnown ? crawler.category.toUpperCase().replace(' ', '_') : null;
      if (crawler.signatureAgent === undefined)
        hits.push({ ...line, asn: 0, source: 'edge_logpush', workerVersion: '', platformCategory });
      return;
    }
    const isJournal = place < TO_HELP + TO_JOURNAL && crawler.signatureAgent === undefined;
    if (isJournal) {
      hits.push(hit(at, JOURNAL, chance.weighted(JOURNAL_PAGES), visitor));
      return;
    }
    const seen = hit(at, HOST, chance.weighted(SHOP_PAGES[crawler.taste]), visitor);
    hits.push({ ...seen, ...edgeVerdict(crawler, from.ip, lists, at) });
  };

  /** Moments of as many visits as the day has. */
  function* moments(perDay: number, rhythm: Rhythm): Generator<number> {
    const next = momentsOf(day, rhythm, chance);
    for (let left = chance.around(perDay); left > 0; left -= 1) yield next();
  }

  for (const crawler of CRAWLERS)
    for (const at of moments(crawler.perDay(day), crawler.rhythm)) crawl(crawler, crawler, at);

  for (const at of moments(masksPerDay(day), 'even'))
    crawl(claimed(chance.pick(MASKED)), chance.weighted(MASKS), at);
  if (isSurge(day)) {
    const { share, laterMs } = surgeOf(day);
    for (const at of moments(SURGE.perDay * share, 'evening'))
      crawl({ ...claimed(SURGE.bot), taste: 'forbidden' }, SURGE.from, at + laterMs);
  }

  for (const engine of people.ENGINES)
    for (const at of moments(engine.perDay(day), 'waking')) {
      const visit = hit(at, HOST, chance.weighted(PEOPLE_READ), person());
      const isTagged = chance.next() < engine.tagged;
      hits.push({
        ...visit,
        method: 'GET',
        referrer: isTagged ? '' : engine.referrer,
        query: isTagged ? new Map([['utm_source', engine.tag]]) : NO_QUERY,
      });
    }

  /** All others: what a collector reports as a sample. */
  const pass = (at: number, visitor: Visitor, referrer: string): void => {
    const onJournal = chance.next() < TO_JOURNAL;
    const path = chance.weighted(onJournal ? JOURNAL_PAGES : PEOPLE_LOAD);
    const visit = hit(at, onJournal ? JOURNAL : HOST, path, visitor);
    hits.push({ ...visit, referrer, sampleRate: people.SAMPLE_RATE });
  };

  const others = people.samplesPerDay(day) / (whom === 'everybody' ? people.SAMPLE_RATE : 1);
  for (const at of moments(others * (1 - people.OTHER_BOTS_SHARE), 'waking'))
    pass(at, person(), chance.pick(people.OTHER_REFERRERS));
  for (const at of moments(others * people.OTHER_BOTS_SHARE, 'even'))
    pass(at, { ...person(), userAgent: chance.pick(people.OTHER_BOTS) }, '');

  return hits.filter(({ at }) => !isQuiet(at, day)).sort((a, b) => a.at - b.at);

  function person(): Visitor {
    return {
      userAgent: chance.pick(people.BROWSERS),
      ip: chance.pick(people.HOMES),
      asn: chance.pick(people.HOME_NETWORKS),
      country: chance.pick(people.COUNTRIES),
    };
  }

  function claimed(bot: string): Crawler {
    const crawler = CRAWLERS.find(({ userAgent }) => userAgent.includes(`${bot}/`));
    if (crawler === undefined) throw new Error(`no crawler is named ${bot}`);
    return crawler;
  }
}

/** What the collector of today says beside the visit; the journal's old one says nothing, and the service checks by itself. */
function edgeVerdict(
  { userAgent, signatureAgent = '' }: Crawler,
  ip: string,
  lists: CompiledLists,
  at: number,
): Pick<
  ObservedHit,
  'edgeVerified' | 'edgeVerifiedBy' | 'edgeUnchecked' | 'edgeRangesAsOf' | 'signatureAgent'
> {
  const signed = { edgeVerified: true, edgeVerifiedBy: 'signature', edgeUnchecked: false } as const;
  if (signatureAgent !== '') return { ...signed, edgeRangesAsOf: '', signatureAgent };
  const bot = lists.tokens.match(userAgent);
  const { verdict, asOf } = checkRanges(lists, bot?.bot_name ?? '', ip, at);
  return {
    edgeVerified: verdict ?? false,
    edgeVerifiedBy: verdict === true ? 'edge_cidr' : null,
    edgeUnchecked: verdict === null,
    edgeRangesAsOf: asOf,
    signatureAgent: '',
  };
}
