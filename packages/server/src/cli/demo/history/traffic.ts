/** The hits of a day of the demo's past, as a decoder reads them from the wire; what they are is judged by the same code as real ones. */
import { type CompiledLists, type ObservedHit, rangeVerdict } from '@ghostlight/core';
import { HOST } from '../shop.ts';
import type { Chance } from './chance.ts';
import { CRAWLERS, type Crawler, MASKED, MASKS, masksPerDay, type Network, SURGE } from './crawlers.ts';
import { type Day, type Hours, momentOf, SURGE_AGO } from './days.ts';
import {
  bytesOf,
  HELP,
  HELP_PAGES,
  JOURNAL,
  JOURNAL_PAGES,
  PEOPLE_LOAD,
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

/** @returns in the order of their times */
export function hitsOfDay(day: Day, lists: CompiledLists, versions: Versions, chance: Chance): ObservedHit[] {
  const hits: ObservedHit[] = [];
  let rays = 0;

  const hit = (at: number, host: string, path: string, visitor: Visitor): ObservedHit => {
    const status = statusOf(path, day, chance.next());
    rays += 1;
    return {
      source: 'edge_worker',
      at,
      attributionId: null,
      host,
      method: chance.next() < 0.02 ? 'HEAD' : 'GET',
      path,
      query: NO_QUERY,
      ip: visitor.ip,
      userAgent: visitor.userAgent,
      referrer: '',
      status,
      bytes: bytesOf(path, status),
      country: visitor.country,
      asn: visitor.asn,
      edgeVerified: null,
      edgeVerifiedBy: null,
      edgeUnchecked: false,
      platformCategory: null,
      sampleRate: null,
      workerVersion: host === JOURNAL ? versions.journal : versions.shop,
      // Recognizable: sixteen digits as real ones, by the day and the hit's number in it.
      rayId: `de30${day.start.toString(16).padStart(12, '0').slice(-12, -4)}${rays.toString(16).padStart(4, '0')}`,
      signatureAgent: '',
    };
  };

  /** To one of the three hosts, with the verdict that is made there. */
  const crawl = (crawler: Crawler, from: Network, hours: Hours): void => {
    const visitor = { ...from, userAgent: crawler.userAgent };
    const at = momentOf(day, hours, chance);
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
    hits.push({ ...seen, ...edgeVerdict(crawler, from.ip, lists) });
  };

  for (const crawler of CRAWLERS)
    for (let left = chance.around(crawler.perDay(day)); left > 0; left -= 1)
      crawl(crawler, crawler, crawler.hours);

  for (let left = chance.around(masksPerDay(day)); left > 0; left -= 1)
    crawl(claimed(chance.pick(MASKED)), chance.weighted(MASKS), 'even');
  if (day.ago <= SURGE_AGO.from && day.ago >= SURGE_AGO.to)
    for (let left = chance.around(SURGE.perDay); left > 0; left -= 1)
      crawl(claimed(SURGE.bot), chance.weighted(MASKS.slice(0, 2)), 'evening');

  for (const engine of people.ENGINES)
    for (let left = chance.around(engine.perDay(day)); left > 0; left -= 1) {
      const visit = hit(momentOf(day, 'waking', chance), HOST, chance.weighted(SHOP_PAGES.answers), person());
      const isTagged = chance.next() < engine.tagged;
      hits.push({
        ...visit,
        method: 'GET',
        referrer: isTagged ? '' : engine.referrer,
        query: isTagged ? new Map([['utm_source', engine.tag]]) : NO_QUERY,
      });
    }

  for (let left = chance.around(people.samplesPerDay(day)); left > 0; left -= 1) {
    const isProgram = chance.next() < people.OTHER_BOTS_SHARE;
    const visitor = isProgram ? { ...person(), userAgent: chance.pick(people.OTHER_BOTS) } : person();
    const at = momentOf(day, isProgram ? 'even' : 'waking', chance);
    const onJournal = chance.next() < TO_JOURNAL;
    const path = chance.weighted(onJournal ? JOURNAL_PAGES : PEOPLE_LOAD);
    const sample = hit(at, onJournal ? JOURNAL : HOST, path, visitor);
    const referrer = isProgram ? '' : chance.pick(people.OTHER_REFERRERS);
    hits.push({ ...sample, referrer, sampleRate: people.SAMPLE_RATE });
  }

  return hits.sort((a, b) => a.at - b.at);

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
): Pick<ObservedHit, 'edgeVerified' | 'edgeVerifiedBy' | 'edgeUnchecked' | 'signatureAgent'> {
  if (signatureAgent !== '')
    return { edgeVerified: true, edgeVerifiedBy: 'signature', edgeUnchecked: false, signatureAgent };
  const bot = lists.tokens.match(userAgent);
  const verdict = bot === null ? null : rangeVerdict(lists, bot.bot_name, ip);
  return {
    edgeVerified: verdict ?? false,
    edgeVerifiedBy: verdict === true ? 'edge_cidr' : null,
    edgeUnchecked: verdict === null,
    signatureAgent: '',
  };
}
