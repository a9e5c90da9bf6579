/** What a signed request says of itself, before anything is checked: RFC 9421 with the Web Bot Auth profile. */
import { directoryUrl } from '@ghostlight/core';
import {
  type BareItem,
  type Dictionary,
  type InnerList,
  isInnerList,
  type Parameters,
  parseDictionary,
  parseItem,
} from 'structured-headers';

export interface SignedRequest {
  readonly method: string;
  /** Absolute, as the edge received it. */
  readonly url: string;
  readonly headers: Headers;
}

/** One signature that the profile allows to be checked. */
export interface Candidate {
  readonly label: string;
  readonly keyid: string;
  /** Names of the header fields that it covers. */
  readonly fields: readonly string[];
  /** The key directory that its Signature-Agent stands for. */
  readonly directory: string;
}

export interface Refusal {
  readonly outcome: 'invalid' | 'unverified' | 'absent';
  readonly reason: string;
}

export interface ProfileRules {
  /** Seconds; a longer life is a password that lies in every log on the way. */
  readonly maxLifetime: number;
  /** Seconds by which `created` may lie ahead of our clock; `expires` gets no grace. */
  readonly clockSkew: number;
}

export const TAG = 'web-bot-auth';
const MAX_LABELS = 4;
/** Of each of the three fields. Real ones have 300 to 500 characters. */
const MAX_FIELD_LENGTH = 4_096;

/** Every signature of the request, each judged on its own, in their order; or what refuses all of them. */
export function readSignatures(
  { url, headers }: SignedRequest,
  now: number,
  rules: ProfileRules,
): readonly (Candidate | Refusal)[] {
  const input = headers.get('signature-input');
  if (input === null || !headers.has('signature')) return [absent('no signature')];
  // On plain http anybody on the way could have put them there.
  if (!url.startsWith('https://')) return [absent('not https')];
  const agent = headers.get('signature-agent');
  const lengths = [input, headers.get('signature'), agent].map((field) => field?.length ?? 0);
  if (lengths.some((length) => length > MAX_FIELD_LENGTH)) return [unverified('a field is too long')];
  const labels = parsed(() => parseDictionary(input));
  if (labels === null) return [invalid('Signature-Input is malformed')];
  if (labels.size > MAX_LABELS) return [unverified(`more than ${MAX_LABELS} signatures`)];
  return [...labels].map(([label, member]) =>
    isInnerList(member) ? readSignature(label, member, agent, now, rules) : invalid('no list of components'),
  );
}

function readSignature(
  label: string,
  [components, parameters]: InnerList,
  agent: string | null,
  now: number,
  rules: ProfileRules,
): Candidate | Refusal {
  if (parameters.get('tag') !== TAG) return absent('another tag');
  const keyid = parameters.get('keyid');
  const created = parameters.get('created');
  const expires = parameters.get('expires');
  if (!isText(keyid)) return invalid('no keyid');
  if (!isTime(created)) return invalid('no created');
  if (!isTime(expires)) return invalid('no expires');
  const alg = parameters.get('alg');
  if (alg !== undefined && alg !== 'ed25519') return unverified('an algorithm other than ed25519');
  const untimely = checkTimes(created, expires, now, rules);
  if (untimely !== null) return untimely;
  const names = components.map(([name]) => name);
  if (!names.every((name) => typeof name === 'string')) return invalid('a component without a name');
  // Without one of them it could be replayed on any other site.
  if (!names.includes('@authority') && !names.includes('@target-uri')) return invalid('covers no site');
  const directory = readAgent(components, agent);
  if (typeof directory !== 'string') return directory;
  return { label, keyid, fields: names.filter((name) => !name.startsWith('@')), directory };
}

function checkTimes(created: number, expires: number, now: number, rules: ProfileRules): Refusal | null {
  const seconds = now / 1000;
  if (expires <= created) return invalid('expires before it was created');
  if (expires < seconds) return invalid('expired');
  if (created > seconds + rules.clockSkew) return invalid('not yet valid');
  if (expires - created > rules.maxLifetime) return unverified('valid for too long');
  return null;
}

/**
 * Three shapes are in the field: one string, signed whole; a dictionary with an origin; a dictionary with the key set's own URL. Of a
 * dictionary the signature names the member, parameters of which (`type=…`) say nothing that we need.
 * @returns the directory's URL
 */
function readAgent(components: InnerList[0], header: string | null): string | Refusal {
  const [component, ...others] = components.filter(([name]) => name === 'signature-agent');
  if (component === undefined) {
    if (header === null) return unverified('names no agent');
    // Anybody could put another agent's name beside a signature that doesn't cover it.
    return invalid('does not cover Signature-Agent');
  }
  if (header === null) return invalid('covers a Signature-Agent that is not there');
  if (others.length > 0) return unverified('covers several agents');
  const identity = agentNamed(component[1], header);
  if (typeof identity !== 'string') return unverified('Signature-Agent is malformed');
  return directoryUrl(identity) ?? unverified('Signature-Agent is no plain https URL');
}

function agentNamed(parameters: Parameters, header: string): BareItem | null {
  const key = parameters.get('key');
  if (key === undefined) return parsed(() => parseItem(header))?.[0] ?? null;
  const dictionary: Dictionary | null = parsed(() => parseDictionary(header));
  const member = typeof key === 'string' ? dictionary?.get(key) : undefined;
  return member === undefined || isInnerList(member) ? null : member[0];
}

function parsed<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

const isText = (value: BareItem | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 256;
const isTime = (value: BareItem | undefined): value is number => Number.isSafeInteger(value);

const invalid = (reason: string): Refusal => ({ outcome: 'invalid', reason });
const unverified = (reason: string): Refusal => ({ outcome: 'unverified', reason });
const absent = (reason: string): Refusal => ({ outcome: 'absent', reason });
