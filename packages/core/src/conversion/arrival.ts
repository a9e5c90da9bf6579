/** How a visitor came to a page: from its address and its referrer to channel, source and platform. */
import { parseReferrer, type ReferrerMatch, type ReferrerMatcher } from '../referrer.ts';
import { cleanPath, parseAddress } from './address.ts';
import { channelOf, isPaidMedium } from './channels.ts';
import type { Utm } from './event.ts';
import { PAYMENT_HOSTS } from './payment-hosts.ts';
import { hostMatches, type SourceKind, sourceOfHost, sourceOfTag, type TrafficSource } from './sources.ts';
import { AD_CLICK_IDS, clickIdsOf, namesCampaign, type Platform, tagsOf, utmOf } from './tags.ts';
import type { ArrivalFacts } from './touch.ts';

export interface Arrival {
  /** The page's address, with its query. */
  readonly location: string;
  /** The browser's referrer; empty where there is none. */
  readonly referrer: string;
  /** Taken on landing, before a script of the page could rewrite the address. Those in `location` count before them. */
  readonly utm?: Utm;
  readonly clickIds?: Readonly<Record<string, string>>;
  readonly aiReferrers: ReferrerMatcher;
  /** Lower-case; the page's own host and what lies below these are own as well. */
  readonly ownDomains: readonly string[];
  /** More payment providers than we know, written as in `PAYMENT_HOSTS`. */
  readonly paymentHosts?: readonly string[];
}

interface Tagged {
  readonly utm: Utm;
  readonly clickIds: Readonly<Record<string, string>>;
}

/**
 * Own pages and payment providers are no referrers: people come back from them. With tags in its address such a page counts
 * anyway (an ad that leads to a page which forwards by script); whether the tags are new, `needsTouch` says.
 *
 * @returns null where there was no arrival, and for what is no http(s) page
 */
export function describeArrival(arrival: Arrival): ArrivalFacts | null {
  const page = parseAddress(arrival.location);
  if (page === null) return null;
  const ownHost = page.hostname.replace(/\.$/, '');
  const tagged = readTags(page, arrival);
  const isTagged = Object.keys(tagged.utm).length > 0 || Object.keys(tagged.clickIds).length > 0;
  const host = parseReferrer(arrival.referrer.slice(0, MAX_REFERRER))?.host ?? '';
  const returnsFrom = [
    ownHost.replace(/^www\./, ''),
    ...arrival.ownDomains,
    ...PAYMENT_HOSTS,
    ...(arrival.paymentHosts ?? []),
  ];
  const isReturn = host !== '' && returnsFrom.some((pattern) => hostMatches(host, pattern));
  if (isReturn && !isTagged) return null;
  const from = isReturn ? { host: '', referrer: '' } : { host, referrer: arrival.referrer };
  return {
    landing: { host: ownHost, path: cleanPath(page.pathname) },
    ...tagged,
    ...judge(tagged, isTagged, from, arrival.aiReferrers),
  };
}

const MAX_REFERRER = 8192;

function readTags(page: URL, arrival: Arrival): Tagged {
  const here = tagsOf(page.searchParams);
  return {
    utm: { ...utmOf(Object.entries(arrival.utm ?? {})), ...here.utm },
    clickIds: { ...clickIdsOf(Object.entries(arrival.clickIds ?? {})), ...here.clickIds },
  };
}

type Judgement = Omit<ArrivalFacts, 'landing' | 'utm' | 'clickIds'>;

interface From {
  /** Host or app's package; empty for none. */
  readonly host: string;
  readonly referrer: string;
}

/** A click id decides platform and payment, UTM tags the names, the referrer what neither says. */
function judge(
  { utm, clickIds }: Tagged,
  isTagged: boolean,
  from: From,
  aiReferrers: ReferrerMatcher,
): Judgement {
  const paidMedium = utm.medium !== undefined && isPaidMedium(utm.medium.toLowerCase());
  const clicks = AD_CLICK_IDS.filter(({ name }) => Object.hasOwn(clickIds, name));
  const known = utm.source === undefined ? sourceOfHost(from.host) : sourceOfTag(utm.source);
  // A platform that marks unpaid links too has to say that it was an ad, or the tags have to.
  const isAd = (platform: Platform): boolean =>
    paidMedium || (namesCampaign(utm) && (utm.source === undefined || known?.platform === platform));
  const paidClick = clicks.find(({ alsoUnpaid, platform }) => !alsoUnpaid || isAd(platform));
  const click = paidClick ?? clicks[0];
  const paid = paidClick !== undefined || paidMedium;

  const ai = aiReferrers.match(from.referrer, utm.source);
  const aiTag = utm.source !== undefined && aiReferrers.match('', utm.source) !== null;
  const agrees = click === undefined || known?.platform === click.platform;
  const clickKind = click === undefined ? null : KIND_OF_PLATFORM[click.platform];
  const source =
    utm.source ?? sourceName(click?.platform, ai, known, from.host) ?? (isTagged ? '(not set)' : '(direct)');
  const medium = utm.medium ?? mediumOf(paidClick !== undefined, ai, known, from.host, isTagged);
  const campaign = utm.campaign ?? '';
  const channel = channelOf({
    source: source.toLowerCase(),
    medium: medium.toLowerCase(),
    campaign: campaign.toLowerCase(),
    kind:
      paidClick !== undefined && !agrees
        ? clickKind
        : (known?.kind ?? (utm.source === undefined ? clickKind : null)),
    isAi: ai !== null,
    paid,
  });
  const clickConflict =
    new Set(clicks.map(({ platform }) => platform)).size > 1 ||
    (paidClick !== undefined &&
      !(aiTag && paidClick.platform === 'openai') &&
      tagsContradict(utm, known, paidClick.platform, paidMedium)) ||
    (click !== undefined && !paid && channel !== 'organic_social');
  return {
    referrerHost: from.host,
    channel,
    platform: click?.platform ?? (paid ? (known?.platform ?? null) : null),
    paid,
    source,
    medium,
    campaign,
    // An assistant showed a link that was tagged for something else.
    conflict: clickConflict || (ai !== null && utm.source !== undefined && !aiTag),
  };
}

/** Where a click id is the only hint. */
const KIND_OF_PLATFORM: Readonly<Record<Platform, SourceKind | null>> = {
  google: 'search',
  microsoft: 'search',
  openai: null,
  meta: 'social',
  tiktok: 'social',
  linkedin: 'social',
  pinterest: 'social',
  snap: 'social',
  reddit: 'social',
  x: 'social',
  quora: 'social',
};

function sourceName(
  platform: Platform | undefined,
  ai: ReferrerMatch | null,
  known: TrafficSource | null,
  referrerHost: string,
): string | undefined {
  if (platform !== undefined) return known?.platform === platform ? known.name : platform;
  if (ai !== null) return ai.domain;
  return known?.name ?? (referrerHost === '' ? undefined : referrerHost.replace(/^www\./, ''));
}

function mediumOf(
  paidByClick: boolean,
  ai: ReferrerMatch | null,
  known: TrafficSource | null,
  referrerHost: string,
  isTagged: boolean,
): string {
  if (paidByClick) return 'cpc';
  if (ai !== null) return 'ai-assistant';
  // A source that is tagged alone says nothing about how: only a referrer does.
  if (referrerHost !== '') return known?.kind === 'search' ? 'organic' : 'referral';
  return isTagged ? '(not set)' : '(none)';
}

/** Tags of another platform than the click's, or of none and of no ad: the link of a newsletter that was reused in an ad. */
function tagsContradict(
  utm: Utm,
  known: TrafficSource | null,
  platform: Platform,
  paidMedium: boolean,
): boolean {
  if (known?.platform !== undefined && known.platform !== platform) return utm.source !== undefined;
  if (utm.medium !== undefined) return !paidMedium;
  return utm.source !== undefined && known?.platform !== platform;
}
