/** What marks an arrival: UTM tags, and the click ids that ad platforms add to an address. Names are compared without case, values never changed. */
import { UTM_FIELDS, type Utm } from './event.ts';
import { maskFound } from './mask.ts';
import { cleanText } from './text.ts';

/** Platforms by the name that destinations have; `google` stands for all of Google's. */
export type Platform =
  | 'google'
  | 'microsoft'
  | 'openai'
  | 'meta'
  | 'tiktok'
  | 'linkedin'
  | 'pinterest'
  | 'snap'
  | 'reddit'
  | 'x'
  | 'quora';

/**
 * The click ids that name a platform, the surest first; each from its platform's documentation. Meta and Pinterest also put theirs on
 * links that no advertiser paid for. Google leaves the last two where a browser or a redirect has taken the others.
 */
export const AD_CLICK_IDS: readonly {
  readonly name: string;
  readonly platform: Platform;
  readonly alsoUnpaid?: true;
}[] = [
  { name: 'gclid', platform: 'google' },
  { name: 'gbraid', platform: 'google' },
  { name: 'wbraid', platform: 'google' },
  { name: 'dclid', platform: 'google' },
  { name: 'msclkid', platform: 'microsoft' },
  { name: 'oppref', platform: 'openai' },
  { name: 'ttclid', platform: 'tiktok' },
  { name: 'li_fat_id', platform: 'linkedin' },
  { name: 'rdt_cid', platform: 'reddit' },
  { name: 'sccid', platform: 'snap' },
  { name: 'twclid', platform: 'x' },
  { name: 'qclid', platform: 'quora' },
  { name: 'gad_campaignid', platform: 'google' },
  { name: 'gad_source', platform: 'google' },
  { name: 'epik', platform: 'pinterest', alsoUnpaid: true },
  { name: 'fbclid', platform: 'meta', alsoUnpaid: true },
];

/** Kept for questions to the platform; they say nothing about who was paid. */
const OTHER_CLICK_IDS = ['igshid', 'irclid', 'bfcid', 'mc_cid', '_kx'];

/**
 * Whether a link names a campaign by the platform's number, as the ad managers' templates fill `utm_id`. Their other parameters
 * (`campaign_id`, `ad_id`) are names that sites use for things of their own.
 */
export const namesCampaign = ({ id = '' }: Utm): boolean => /^[0-9]{6,30}$/.test(id);

export const CLICK_ID_NAMES: readonly string[] = [
  ...AD_CLICK_IDS.map(({ name }) => name),
  ...OTHER_CLICK_IDS,
];

const MAX_VALUE = 500;
/** These values travel into third parties' addresses: whatever could leave its place there is dropped. */
const CLICK_ID = /^[A-Za-z0-9._~-]+$/;
/** Google's session cookie separates with `$`. */
const BROWSER_ID = /^[A-Za-z0-9._~$-]+$/;

const BROWSER_ID_NAME =
  /^(?:_fbp|_fbc|_ga|_ga_[A-Za-z0-9]{1,20}|_gcl_aw|_ttp|li_fat_id|_uetmsclkid|_uetvid|_epik|_scid|_rdt_uuid|__obref)$/;
/** A site measured by many GA4 streams has one cookie for each. */
const MAX_BROWSER_IDS = 30;

type Pairs = Iterable<readonly [name: string, value: string]>;

/** @returns lower-case name → value; of a name that stands twice the last, which is the one that was added */
export function clickIdsOf(pairs: Pairs): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const known = name.toLowerCase();
    if (CLICK_ID_NAMES.includes(known) && value.length <= MAX_VALUE && CLICK_ID.test(value))
      found[known] = value;
  }
  return found;
}

/** @param pairs of an address's query (`utm_source`) or of an object (`source`) */
export function utmOf(pairs: Pairs): Utm {
  const found: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const field = name.toLowerCase().replace(/^utm_/, '');
    const isTag = (UTM_FIELDS as readonly string[]).includes(field);
    const text = isTag ? maskFound(cleanText(value.slice(0, MAX_VALUE))) : '';
    if (text !== '' && !Object.hasOwn(found, field)) found[field] = text;
  }
  return found;
}

/** @returns the known first-party cookies of ad platforms, by cookie name */
export function browserIdsOf(pairs: Pairs): Record<string, string> {
  const found: Record<string, string> = {};
  let room = MAX_BROWSER_IDS;
  for (const [name, value] of pairs) {
    if (room === 0 || !BROWSER_ID_NAME.test(name) || value.length > MAX_VALUE || !BROWSER_ID.test(value))
      continue;
    found[name] = value;
    room--;
  }
  return found;
}

/** Both kinds in an address's query. Without `utm_` a name of a UTM field is a parameter of the site's own. */
export function tagsOf(query: URLSearchParams): { utm: Utm; clickIds: Record<string, string> } {
  // Payment modules put this into the address that they return to: the tags beside it are older ones.
  if (query.get('utm_nooverride') === '1') return { utm: {}, clickIds: {} };
  const pairs = [...query];
  return {
    utm: utmOf(pairs.filter(([name]) => /^utm_/i.test(name))),
    clickIds: clickIdsOf(pairs),
  };
}
