/** What an address and the ad platforms' own cookies say about where a visitor came from. */
import { attempt } from './attempt.ts';
import { mask } from './mask.ts';

const TAG =
  /^(?:utm_(source|medium|campaign|term|content|id)|[gd]clid|fbclid|[gw]braid|gad_source|gad_campaignid|ttclid|li_fat_id|msclkid|epik|sccid|rdt_cid|oppref|twclid|igshid|irclid|qclid|bfcid|mc_cid|_kx)$/;
/** Anything else could break out of the addresses that a click id is later put into. */
const CLICK_ID = /^[\w.~-]{1,500}$/;
const BROWSER_IDS =
  /; (_fb[pc]|_ga(?:_\w{1,20})?|_gcl_aw|_ttp|li_fat_id|_uetmsclkid|_uetvid|_epik|_scid|_rdt_uuid|__obref)=([\w.~$-]{1,500})(?![^;])/g;

export interface Arrival {
  /** Without fragment, and with UTM tags and click ids as its only query: the rest may be a search, a name or a token. */
  page_location: string;
  utm: Record<string, string>;
  /** By their names in lower case. */
  click_ids: Record<string, string>;
}

/** Names of tags in any case, as mailers and redirects change it; values of click ids as they are. */
export function readAddress(text: string): Arrival {
  const arrival: Arrival = { page_location: '', utm: {}, click_ids: {} };
  attempt(() => {
    const { protocol, host, pathname, searchParams } = new URL(text);
    const query = new URLSearchParams();
    searchParams.forEach((value, key) => {
      const name = key.toLowerCase();
      const [known, tag] = TAG.exec(name) || [];
      if (tag) arrival.utm[tag] = mask(value);
      else if (known && CLICK_ID.test(value)) arrival.click_ids[name] = value;
      else return;
      query.set(name, mask(value));
    });
    arrival.page_location = `${protocol}//${host}${mask(pathname)}${`?${query}`.replace(/\?$/, '')}`;
  });
  return arrival;
}

/** The ad platforms' own first-party cookies. */
export const readBrowserIds = (): Record<string, string> | undefined =>
  attempt(() =>
    Object.fromEntries([...`; ${document.cookie}`.matchAll(BROWSER_IDS)].map((cookie) => cookie.slice(1))),
  );
