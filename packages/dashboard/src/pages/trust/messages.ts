/** Texts for verification methods and reasons. */
import type { ReportAnswer } from '../../features/reports/api.ts';

export const METHOD_WORDS: Readonly<Record<Method, { name: string; short: string; about?: string }>> = {
  signature: {
    name: 'Signed with the vendor’s key',
    short: 'Signature',
    about: 'Proves the bot, whatever its address.',
  },
  edge_cidr: {
    name: 'IP in the vendor’s published ranges, checked by the collector',
    short: 'IP',
  },
  server_cidr: {
    name: 'IP in the vendor’s published ranges, checked by Ghostlight',
    short: 'IP',
  },
  edge_platform: {
    name: 'Verified by your CDN, such as Cloudflare',
    short: 'CDN',
  },
};

export const REASON_WORDS: Readonly<
  Record<Reason, { name: string; about?: string; verdict: 'spoofed' | 'unknown' }>
> = {
  outside_ranges: {
    name: 'IP outside the vendor’s published ranges, checked by Ghostlight',
    verdict: 'spoofed',
  },
  edge_says_no: {
    name: 'IP outside the vendor’s published ranges, checked by the collector',
    verdict: 'spoofed',
  },
  no_ranges_published: {
    name: 'No published ranges',
    about: 'The vendor publishes no address ranges for this bot, so it can’t be verified.',
    verdict: 'unknown',
  },
  ranges_not_read: {
    name: 'Ranges not loaded yet',
    about: 'The vendor publishes ranges, but this installation has not loaded them yet.',
    verdict: 'unknown',
  },
  partial_ranges: {
    name: 'Ranges incomplete',
    about: 'Only part of the vendor’s ranges is known, and the address is not in it. That proves nothing.',
    verdict: 'unknown',
  },
  ranges_stale: {
    name: 'Ranges outdated',
    about:
      'The address is outside this installation’s copy of the vendor’s ranges, but that copy was read more than 7 days before or after the visit.',
    verdict: 'unknown',
  },
  no_address: {
    name: 'No address',
    about: 'The hit has no address to check.',
    verdict: 'unknown',
  },
  sampled_address: {
    name: 'A sample',
    about: 'Samples have no full address to check.',
    verdict: 'unknown',
  },
  anonymized_address: {
    name: 'Address truncated',
    about: 'The log’s sender truncates addresses, so they prove nothing.',
    verdict: 'unknown',
  },
  proxy_address: {
    name: 'Address of a proxy',
    about: 'The log has the address of a proxy before the site, not the visitor’s.',
    verdict: 'unknown',
  },
  edge_unchecked: {
    name: 'Not checked by collector',
    about: 'The collector had no ranges to check with.',
    verdict: 'unknown',
  },
  edge_lists_unknown: {
    name: 'Refuted without evidence',
    about: 'The sender reports a mismatch, but not with which ranges.',
    verdict: 'unknown',
  },
  claim_without_method: {
    name: 'Verified without evidence',
    about: 'The sender reports the bot as verified, but not by which method.',
    verdict: 'unknown',
  },
  signature_agent_unknown: {
    name: 'Signed by an unknown agent',
    about: 'The request was signed, but by an agent that is not in the list.',
    verdict: 'unknown',
  },
  signature_of_another: {
    name: 'Signed by another agent',
    about: 'The request was signed by an agent that does not sign for this bot.',
    verdict: 'unknown',
  },
  signature_invalid: {
    name: 'Signature invalid',
    about: 'The logged signature does not match the request, or breaks the rules for signatures.',
    verdict: 'unknown',
  },
  signature_expired: {
    name: 'Signature expired',
    about: 'The logged signature was not valid at the time of the visit.',
    verdict: 'unknown',
  },
  signature_other_host: {
    name: 'Signed for another host',
    about: 'The logged signature is for a host that does not belong to this property.',
    verdict: 'unknown',
  },
  signature_incomplete: {
    name: 'Signature can’t be checked',
    about: 'The log lacks a part of what was signed, or does not say that the request came by https.',
    verdict: 'unknown',
  },
  signature_key_unknown: {
    name: 'Signing key unknown',
    about: 'The service does not have the key that signed the request.',
    verdict: 'unknown',
  },
  signature_unchecked: {
    name: 'Signature not checked',
    about: 'More signed requests arrived than the service can check in a second.',
    verdict: 'unknown',
  },
  users_machine: {
    name: 'User’s own machine',
    about: 'The tool runs on a user’s own machine, so its address can’t be verified.',
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
/** Reasons of hits that are not verified; verified ones are shown by method. */
export type Reason = Exclude<
  keyof TrustItem['reasons'],
  'signature' | 'log_signature' | 'edge_ranges' | 'ranges' | 'edge_platform'
>;
type SourcesAnswer = ReportAnswer<'trust/sources'>;
export type SourceItem = SourcesAnswer['items'][number];
