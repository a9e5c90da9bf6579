/** How identity was judged, in words for people. */
import type { Method, Reason } from './types.ts';

export const METHOD_WORDS: Readonly<Record<Method, { name: string; about: string }>> = {
  signature: { name: 'Signature', about: 'The request was signed with the vendor’s key.' },
  edge_cidr: { name: 'Address at the edge', about: 'It came from a range that the vendor publishes.' },
  server_cidr: {
    name: 'Address checked here',
    about: 'It came from a range that the vendor publishes; checked by this service.',
  },
  edge_platform: { name: 'Edge platform', about: 'The edge platform had validated the bot already.' },
};

export const REASON_WORDS: Readonly<Record<Reason, { name: string; about: string }>> = {
  outside_published_ranges: {
    name: 'Outside the published ranges',
    about: 'It named a bot whose vendor publishes its addresses, and came from another: spoofed.',
  },
  nothing_published: {
    name: 'Nothing to check against',
    about: 'The vendor publishes neither addresses nor keys: unknown, which never means spoofed.',
  },
  sample_address_truncated: {
    name: 'A sample, recognised later',
    about: 'Samples carry no full address that could be checked: unknown.',
  },
};
