/** The filters of the explorer: what each is called, and where its values come from. */
import { VERDICT_REASONS } from '@ghostlight/core';
import type { VisitFilterName } from '../../../features/visits/search.ts';
import { CLASS_NAMES, countryName, intentName, methodName } from '../../../format/names.ts';
import { networkName } from '../../../format/networks.ts';
import { readablePath, visible } from '../../../format/visible.ts';

/** A filter whose values the service knows. */
export type ListedFilter = Extract<
  VisitFilterName,
  | 'bot'
  | 'vendor'
  | 'intent'
  | 'verdict_reason'
  | 'verified_by'
  | 'host'
  | 'status'
  | 'country'
  | 'asn'
  | 'source'
  | 'version'
  | 'engine'
>;

export interface FilterDefinition {
  readonly label: string;
  /** Between label and value: `is`, `contains`. */
  readonly verb: string;
  /** `listed`: values of the service; `typed`: any text; otherwise the values themselves, with their names. */
  readonly values: 'listed' | 'typed' | readonly (readonly [value: string, text: string])[];
  /** Offered before the listed values. */
  readonly first?: readonly (readonly [value: string, text: string])[];
  /** Not in the menu: set by links alone. */
  readonly isHidden?: true;
}

/** Also the visits of people, who have no identity to check. */
export const NOT_SPOOFED = 'verified,unknown,none';

/** As few readers want it: other traffic is there as samples. */
export const EVERY_CLASS = 'ai_bot,ai_referral,search_engine,sample,test';

const VERDICTS = [
  ['verified', '✓ Verified'],
  ['spoofed', '✕ Spoofed'],
  ['unknown', '? Unknown'],
  ['verified,unknown', '✓ Verified or ? unknown (as reports count)'],
  [NOT_SPOOFED, 'not spoofed'],
] as const;

export const DEFINITIONS: Readonly<Record<VisitFilterName, FilterDefinition>> = {
  bot: { label: 'Bot', verb: 'is', values: 'listed' },
  vendor: { label: 'Vendor', verb: 'is', values: 'listed' },
  class: {
    label: 'Class',
    verb: 'is',
    values: [
      ['ai_bot', CLASS_NAMES.ai_bot],
      ['ai_referral', CLASS_NAMES.ai_referral],
      ['search_engine', CLASS_NAMES.search_engine],
      ['sample', `${CLASS_NAMES.sample} (anonymised)`],
      ['test', CLASS_NAMES.test],
      [EVERY_CLASS, 'any, with samples and tests'],
    ],
  },
  verdict: { label: 'Identity', verb: 'is', values: VERDICTS },
  verdict_reason: { label: 'Reason', verb: 'is', values: 'listed' },
  verified_by: { label: 'Verified by', verb: 'is', values: 'listed' },
  intent: { label: 'Intent', verb: 'is', values: 'listed' },
  path_contains: { label: 'Path', verb: 'contains', values: 'typed' },
  path: { label: 'Path', verb: 'begins with', values: 'typed' },
  page: { label: 'Path', verb: 'is', values: 'typed' },
  kind: {
    label: 'Kind of path',
    verb: 'is',
    values: [
      ['page', 'page'],
      ['file', 'file (image, style, script …)'],
    ],
  },
  host: { label: 'Host', verb: 'is', values: 'listed' },
  status: {
    label: 'Status',
    verb: 'is',
    values: 'listed',
    first: [
      ['ok', 'OK (2xx and 304)'],
      ['redirect', 'Redirect (3xx except 304)'],
      ['4xx', 'Client error (4xx)'],
      ['5xx', 'Server error (5xx)'],
      ['error', 'Any error (4xx, 5xx)'],
    ],
  },
  country: { label: 'Country', verb: 'is', values: 'listed' },
  asn: { label: 'Network', verb: 'is', values: 'listed' },
  source: { label: 'Source', verb: 'is', values: 'listed' },
  version: { label: 'Collector version', verb: 'is', values: 'listed' },
  engine: { label: 'Referred by', verb: 'is', values: 'listed' },
  referral_signal: {
    label: 'Referral identified by',
    verb: 'is',
    values: [
      ['referrer', 'the referrer'],
      ['app', 'the app’s name'],
      ['utm_source', 'a tag in the link (utm_source)'],
    ],
  },
  user_agent: { label: 'User agent', verb: 'contains', values: 'typed' },
  other_bot: {
    label: 'Sample of',
    verb: 'is',
    values: [
      ['true', 'an unlisted program'],
      ['false', 'likely a person'],
    ],
    isHidden: true,
  },
};

/** A value for people. @param sourceName of the log sources */
export function valueText(
  name: VisitFilterName,
  value: string,
  sourceName: (source: string) => string,
): string {
  const { values, first = [] } = DEFINITIONS[name];
  const known = [...(typeof values === 'string' ? [] : values), ...first];
  const whole = known.find(([one]) => one === value)?.[1];
  if (whole !== undefined) return whole;
  switch (name) {
    case 'intent':
      return intentName(value);
    case 'verdict_reason':
      return (VERDICT_REASONS as Readonly<Record<string, string>>)[value] ?? value;
    case 'verified_by':
      return methodName(value);
    case 'country':
      return countryName(value) || value;
    case 'asn':
      return networkName(Number(value)) || 'Unknown network';
    case 'source':
      return value.split(',').map(sourceName).join(' or ');
    case 'path':
    case 'page':
      return readablePath(value);
    case 'class':
    case 'status':
      return value
        .split(',')
        .map((part) => known.find(([one]) => one === part)?.[1] ?? part)
        .join(' or ');
    default:
      return visible(value);
  }
}
