/** How identity was judged, in words for people. */
import type { ReportAnswer } from '../../features/reports/api.ts';

export const METHOD_WORDS: Readonly<Record<Method, { name: string; about: string }>> = {
  signature: { name: 'Signature', about: 'The request was signed with the vendor’s key.' },
  edge_cidr: { name: 'Address at the edge', about: 'It came from a range that the vendor publishes.' },
  server_cidr: {
    name: 'Address checked here',
    about: 'It came from a range that the vendor publishes; checked by this service.',
  },
  edge_platform: { name: 'Edge platform', about: 'The edge platform had validated the bot already.' },
};

export const REASON_WORDS: Readonly<
  Record<Reason, { name: string; about: string; verdict: 'spoofed' | 'unknown' }>
> = {
  outside_ranges: {
    name: 'Outside the published ranges',
    about: 'It named a bot whose vendor publishes its addresses, and came from another: spoofed.',
    verdict: 'spoofed',
  },
  edge_says_no: {
    name: 'Refuted at the edge',
    about: 'The edge found the address outside the ranges that the vendor publishes: spoofed.',
    verdict: 'spoofed',
  },
  no_ranges_published: {
    name: 'Nothing to check against',
    about: 'The vendor publishes no address ranges for this bot: unknown, which never means spoofed.',
    verdict: 'unknown',
  },
  ranges_not_read: {
    name: 'Ranges not read yet',
    about: 'The vendor publishes ranges, but this installation has not read them yet.',
    verdict: 'unknown',
  },
  partial_ranges: {
    name: 'Only a part of the ranges is known',
    about: 'The address is not in the known part, which proves nothing.',
    verdict: 'unknown',
  },
  ranges_stale: {
    name: 'Ranges of another time',
    about: 'The address is outside ranges that were read more than 7 days before or after the visit.',
    verdict: 'unknown',
  },
  no_address: {
    name: 'No address',
    about: 'The hit carries no address to check.',
    verdict: 'unknown',
  },
  sampled_address: {
    name: 'A sample',
    about: 'Samples carry no full address that could be checked.',
    verdict: 'unknown',
  },
  anonymized_address: {
    name: 'Address cut short',
    about: 'The log’s sender cuts the end off its addresses, so they prove nothing.',
    verdict: 'unknown',
  },
  proxy_address: {
    name: 'Address of a proxy',
    about: 'The log has the address of a proxy before the site, not the visitor’s.',
    verdict: 'unknown',
  },
  edge_unchecked: {
    name: 'Not checked at the edge',
    about: 'The edge had nothing to check with.',
    verdict: 'unknown',
  },
  edge_lists_unknown: {
    name: 'Refuted by unknown ranges',
    about: 'The edge says no, but not by which ranges.',
    verdict: 'unknown',
  },
  claim_without_method: {
    name: 'A claim without its method',
    about: 'The edge says verified, but not how it found out.',
    verdict: 'unknown',
  },
  signature_agent_unknown: {
    name: 'Signed by an unknown agent',
    about: 'The edge reports a signature, but of no agent in the list.',
    verdict: 'unknown',
  },
  signature_of_another: {
    name: 'Signed by another',
    about: 'The signature is of an agent that does not sign for this bot.',
    verdict: 'unknown',
  },
  users_machine: {
    name: 'A user’s own machine',
    about: 'The tool runs on a user’s own machine, so its address says nothing.',
    verdict: 'unknown',
  },
  not_recorded: {
    name: 'Reason not recorded',
    about: 'These visits came before reasons were stored.',
    verdict: 'unknown',
  },
};

export type TrustAnswer = ReportAnswer<'trust'>;
export type TrustItem = TrustAnswer['items'][number];
type Method = keyof TrustItem['methods'];
export const METHODS = [
  'signature',
  'edge_cidr',
  'edge_platform',
  'server_cidr',
] as const satisfies readonly Method[];
/** Of hits that are not verified: those of verified ones are shown by method. */
export type Reason = Exclude<
  keyof TrustItem['reasons'],
  'signature' | 'edge_ranges' | 'ranges' | 'edge_platform'
>;
type SourcesAnswer = ReportAnswer<'trust/sources'>;
export type SourceItem = SourcesAnswer['items'][number];
