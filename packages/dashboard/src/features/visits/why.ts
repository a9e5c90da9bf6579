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

/** One scale for all steps: `proof` and `against` decide, `none` does not, whether it could not or was not needed. */
export type Outcome = 'proof' | 'against' | 'none';

export interface WhyStep {
  readonly title: string;
  readonly outcome: Outcome;
  /** One or two sentences. */
  readonly detail: string;
}

interface Why {
  readonly verdict: Verdict;
  /** What decided. */
  readonly conclusion: string;
  /** What reports make of it. */
  readonly counted: string;
  readonly steps: readonly WhyStep[];
}

/** null for visits without a verdict. */
export function whyOf(visit: JudgedVisit): Why | null {
  const verdict = verdictOf(visit);
  if (verdict === null) return null;
  return {
    verdict,
    conclusion: conclusion(verdict, visit),
    counted: verdict === 'spoofed' ? 'Left out of reports by default.' : 'Counted in reports.',
    steps: [
      addressStep(visit),
      signatureStep(visit),
      ...(visit.verdict_reason === 'edge_platform' ? [platformStep] : []),
      networkStep(visit),
      nameStep(visit),
    ],
  };
}

function nameStep({ bot_name: bot, vendor, list_version: list }: JudgedVisit): WhyStep {
  const whose = vendor === '' ? '' : `${vendor}’s `;
  const known = list === 0 ? '' : ` (bot list version ${list})`;
  return {
    title: 'Name',
    outcome: 'none',
    detail: `The user agent names ${whose}${bot}${known}. Anyone can send this name, so it proves nothing.`,
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
      return { title, outcome: 'none', detail: `Signed by ${signer}, which isn’t in the list of agents.` };
    case 'signature_of_another':
      return { title, outcome: 'none', detail: `Signed by ${signer}, which does not sign for ${bot}.` };
    case 'claim_without_method':
      return { title, outcome: 'none', detail: sentence(reason) };
    default:
      return {
        title,
        outcome: 'none',
        detail:
          agent === ''
            ? 'The request has no signature.'
            : `Signed by ${agent}, but the signature proved nothing.`,
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
    return { title, outcome: 'none', detail: 'Not needed: another step is proof enough.' };
  if (OF_SIGNATURES.has(reason))
    return { title, outcome: 'none', detail: 'The address proved nothing either.' };
  const age = listAge(visit);
  return {
    title,
    outcome: 'none',
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
    // A country is no network.
    title: name === '' && where !== '' ? 'Country' : 'Network',
    outcome: 'none',
    detail: from === '' ? 'The network is not recorded.' : `${from}. Not used for verification.`,
  };
}

/** By what a bot was recognised, as the part of a sentence after its verdict. */
const PROOFS: Readonly<Record<string, (bot: string, whose: string) => string>> = {
  signature: (bot) => `its signature is one of ${bot}`,
  log_signature: (bot) => `its signature is one of ${bot}`,
  ranges: (_, whose) => `its address is one that ${whose} publishes`,
  edge_ranges: (_, whose) => `its address is one that ${whose} publishes`,
  edge_platform: () => 'Cloudflare reports it as a verified bot',
  outside_ranges: (_, whose) => `its address is not one that ${whose} publishes`,
  edge_says_no: (_, whose) => `its address is not one that ${whose} publishes`,
};

function conclusion(
  verdict: Verdict,
  { bot_name: bot, vendor, verdict_reason: reason }: JudgedVisit,
): string {
  const proof = Object.hasOwn(PROOFS, reason) ? PROOFS[reason]?.(bot, vendor || 'the vendor') : undefined;
  if (verdict === 'verified')
    return proof === undefined
      ? `Verified: this really is ${vendor === '' ? '' : `${vendor}’s `}${bot}.`
      : `Verified: ${proof}.`;
  if (verdict === 'spoofed') return `Spoofed: ${proof ?? `this visitor only uses the name ${bot}`}.`;
  return reason === 'users_machine'
    ? `Unknown: ${lowered(sentence(reason))}`
    : `Unknown: nothing proves that this is ${bot}, and nothing disproves it.`;
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const sentence = (reason: string): string =>
  (VERDICT_REASONS as Readonly<Record<string, string>>)[reason] ?? `Reason: ${reason}.`;
