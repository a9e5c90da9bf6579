/** How a verdict came about, step by step, from what is stored of a visit. Pure: the same visit gives the same steps. */
import { VERDICT_REASONS } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { counted, countryName } from '../../format/names.ts';
import { networkName } from '../../format/networks.ts';
import { dayLabel } from '../../format/time.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface JudgedVisit {
  readonly at: string;
  readonly class: Parameters<typeof verdictOf>[0]['class'];
  readonly bot_name: string;
  readonly vendor: string;
  readonly verified: boolean | null;
  readonly verdict_reason: string;
  readonly ranges_as_of: string;
  readonly signature_agent: string;
  readonly asn: number;
  readonly country: string;
  readonly list_version: number;
}

/** `proof` and `against` decide; `open` could have decided and did not; `none` was not needed or not there; `fact` is shown beside. */
export type Outcome = 'proof' | 'against' | 'open' | 'none' | 'fact';

export interface WhyStep {
  readonly title: string;
  readonly outcome: Outcome;
  /** What that is here, where the outcome has no word that fits: `not signed`. */
  readonly word?: string;
  /** One or two sentences. */
  readonly detail: string;
}

const CONCLUSIONS: Readonly<Record<Verdict, string>> = {
  verified: 'Verified',
  spoofed: 'Spoofed',
  unknown: 'Unknown',
};

/** Empty for visits without a verdict. */
export function whySteps(visit: JudgedVisit): readonly WhyStep[] {
  const verdict = verdictOf(visit);
  if (verdict === null) return [];
  return [
    nameStep(visit),
    signatureStep(visit),
    ...(visit.verdict_reason === 'edge_platform' ? [platformStep] : []),
    addressStep(visit),
    networkStep(visit),
    {
      title: `Identity: ${CONCLUSIONS[verdict]}`,
      outcome: verdict === 'verified' ? 'proof' : verdict === 'spoofed' ? 'against' : 'open',
      detail: conclusion(verdict, visit),
    },
  ];
}

function nameStep({ bot_name: bot, vendor, list_version: list }: JudgedVisit): WhyStep {
  const of = vendor === '' ? '' : ` of ${vendor}`;
  const known = list === 0 ? '' : ` (bot list version ${list})`;
  return {
    title: 'Name',
    outcome: 'fact',
    detail: `The user agent names ${bot}${of}${known}. Anyone can send this name, so it proves nothing.`,
  };
}

function signatureStep({
  verdict_reason: reason,
  signature_agent: agent,
  bot_name: bot,
}: JudgedVisit): WhyStep {
  const title = 'Signature';
  const signer = agent === '' ? 'an agent' : agent;
  switch (reason) {
    case 'signature':
      return {
        title,
        outcome: 'proof',
        detail: `Signed by ${signer}, which signs for ${bot}. The collector checked it with the published key.`,
      };
    case 'signature_agent_unknown':
      return { title, outcome: 'open', detail: `Signed by ${signer}, which isn’t in the list of agents.` };
    case 'signature_of_another':
      return { title, outcome: 'open', detail: `Signed by ${signer}, which does not sign for ${bot}.` };
    case 'claim_without_method':
      return { title, outcome: 'open', detail: sentence(reason) };
    default:
      return {
        title,
        outcome: 'none',
        ...(agent === '' ? { word: 'not signed' } : {}),
        detail:
          agent === ''
            ? 'The request has no signature.'
            : `Signed by ${agent}, but the signature settled nothing.`,
      };
  }
}

const platformStep: WhyStep = {
  title: 'CDN',
  outcome: 'proof',
  detail: 'Cloudflare reports this visitor as a verified bot.',
};

const BY_COLLECTOR: ReadonlySet<string> = new Set(['edge_ranges', 'edge_says_no']);
const IN_RANGES: ReadonlySet<string> = new Set(['ranges', 'edge_ranges']);
const OUTSIDE: ReadonlySet<string> = new Set(['outside_ranges', 'edge_says_no']);
/** These were decided before an address was looked at, or without one. */
const BEFORE_ADDRESS: ReadonlySet<string> = new Set(['signature', 'edge_platform']);
const OF_SIGNATURES: ReadonlySet<string> = new Set([
  'signature_agent_unknown',
  'signature_of_another',
  'claim_without_method',
]);

function addressStep(visit: JudgedVisit): WhyStep {
  const { verdict_reason: reason, bot_name: bot, vendor } = visit;
  const title = 'Address';
  const whose = `the ranges that ${vendor || 'the vendor'} publishes for ${bot}`;
  const by = BY_COLLECTOR.has(reason) ? 'Checked by the collector' : 'Checked by this server';
  const how = `${by}${listAge(visit)}.`;
  if (IN_RANGES.has(reason))
    return { title, outcome: 'proof', detail: `The address is within ${whose}. ${how}` };
  if (OUTSIDE.has(reason))
    return { title, outcome: 'against', detail: `The address is outside ${whose}. ${how}` };
  if (BEFORE_ADDRESS.has(reason))
    return { title, outcome: 'none', word: 'not needed', detail: 'The step above is proof enough.' };
  if (OF_SIGNATURES.has(reason))
    return { title, outcome: 'open', detail: 'The address settled nothing either.' };
  const age = listAge(visit);
  return {
    title,
    outcome: 'open',
    detail: `${reason === '' ? 'The reason was not recorded.' : sentence(reason)}${age === '' ? '' : ` Checked${age}.`}`,
  };
}

/** ` against the list of 20 Nov 2026, 2 days before the visit`. */
function listAge({ ranges_as_of: day, at }: Pick<JudgedVisit, 'ranges_as_of' | 'at'>): string {
  const read = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isFinite(read)) return '';
  const days = Math.floor(Date.parse(at) / DAY_MS) - read / DAY_MS;
  const apart =
    days === 0
      ? 'the day of the visit'
      : `${counted(Math.abs(days), 'day')} ${days > 0 ? 'before' : 'after'} the visit`;
  return ` against the list of ${dayLabel(day, true)}, ${apart}`;
}

function networkStep({ asn, country }: JudgedVisit): WhyStep {
  const name = networkName(asn);
  const where = countryName(country) || country;
  const from = [name, where].filter((part) => part !== '').join(', ');
  return {
    title: 'Network',
    outcome: 'fact',
    detail: from === '' ? 'The log doesn’t say which network.' : `${from}. Not used for verification.`,
  };
}

function conclusion(
  verdict: Verdict,
  { bot_name: bot, vendor, verdict_reason: reason }: JudgedVisit,
): string {
  if (verdict === 'verified') return `This really is ${vendor === '' ? '' : `${vendor}’s `}${bot}.`;
  if (verdict === 'spoofed')
    return `This visitor only uses the name ${bot}. Reports leave it out by default.`;
  return reason === 'users_machine'
    ? sentence(reason)
    : `Nothing proves that this is ${bot}, and nothing disproves it. Reports count it.`;
}

const sentence = (reason: string): string =>
  (VERDICT_REASONS as Readonly<Record<string, string>>)[reason] ?? `Reason: ${reason}.`;
