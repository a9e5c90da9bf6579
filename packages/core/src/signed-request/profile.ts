/** What a signed request says of itself, before anything is checked: RFC 9421 with the Web Bot Auth profile. */
import {
  type BareItem,
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  type Parameters,
  parseDictionary,
  parseItem,
} from 'structured-headers';
import type { CompiledLists } from '../classify.ts';
import type { SignatureAgentType } from '../lists.ts';
import { directoryUrl } from '../signatureAgents.ts';

export interface SignedRequest {
  readonly method: string;
  /** Absolute, as it was received. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Pick<Headers, 'get' | 'has'>;
}

/** One signature that the profile allows to be checked. */
export interface Candidate {
  readonly label: string;
  readonly keyid: string;
  /** Names of the header fields that it covers. */
  readonly fields: readonly string[];
  /** The key directory, key set or card that its Signature-Agent stands for. */
  readonly directory: string;
  readonly type: SignatureAgentType;
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

/** Every signature of the request, each checked on its own, in their order; or the reason to refuse all of them. */
export function readSignatures(
  { url, headers }: SignedRequest,
  now: number,
  rules: ProfileRules,
): readonly (Candidate | Refusal)[] {
  const input = headers.get('signature-input');
  if (input === null || !headers.has('signature')) return [absent('no signature')];
  // On plain http anyone on the network path could have added them.
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
  const named = readAgent(components, agent);
  if ('outcome' in named) return named;
  return { label, keyid, fields: names.filter((name) => !name.startsWith('@')), ...named };
}

function checkTimes(created: number, expires: number, now: number, rules: ProfileRules): Refusal | null {
  const seconds = now / 1000;
  if (expires <= created) return invalid('expires before it was created');
  if (expires < seconds) return invalid('expired');
  if (created > seconds + rules.clockSkew) return invalid('not yet valid');
  if (expires - created > rules.maxLifetime) return unverified('valid for too long');
  return null;
}

type Named = Pick<Candidate, 'directory' | 'type'>;

/**
 * Two shapes are in the field: one string, signed whole (the older form, and still the most frequent), and a dictionary, of which the signature
 * names the member. A member's `type` says what its URL is; the path says nothing.
 */
function readAgent(components: InnerList[0], header: string | null): Named | Refusal {
  const [component, ...others] = components.filter(([name]) => name === 'signature-agent');
  if (component === undefined) {
    if (header === null) return unverified('names no agent');
    // Any sender could put another agent's name beside a signature that doesn't cover it.
    return invalid('does not cover Signature-Agent');
  }
  if (header === null) return invalid('covers a Signature-Agent that is not there');
  if (others.length > 0) return unverified('covers several agents');
  const item = agentNamed(component[1], header);
  const [identity, parameters] = item ?? [];
  if (typeof identity !== 'string') return unverified('Signature-Agent is malformed');
  const directory = directoryUrl(identity);
  if (directory === null) return unverified('Signature-Agent is no plain https URL');
  // One string, without members: types came later.
  if (component[1].get('key') === undefined) return { directory, type: 'directory' };
  const type = String(parameters?.get('type') ?? 'directory');
  if (type === 'jwks_uri' || type === 'cimd') return { directory, type };
  if (type !== 'directory') return unverified('Signature-Agent is of an unknown type');
  if (!isBareOrigin(identity)) return unverified('Signature-Agent is no bare origin');
  return { directory, type };
}

function agentNamed(parameters: Parameters, header: string): Item | null {
  const key = parameters.get('key');
  if (key === undefined) return parsed(() => parseItem(header));
  const dictionary: Dictionary | null = parsed(() => parseDictionary(header));
  const member = typeof key === 'string' ? dictionary?.get(key) : undefined;
  return member === undefined || isInnerList(member) ? null : member;
}

function isBareOrigin(identity: string): boolean {
  const url = URL.parse(identity);
  return url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
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

const MAX_IDENTITIES = 4;

/** Does a signature header name a listed agent? Decides whether a browser-like visit is worth verifying. */
export function namesListedAgent(
  { url, headers }: SignedRequest,
  lists: Pick<CompiledLists, 'signatureAgents'>,
): boolean {
  const agent = headers.get('signature-agent');
  if (agent === null || !url.startsWith('https://')) return false;
  if (headers.get('signature-input')?.includes(TAG) !== true) return false;
  let seen = 0;
  for (const [, identity] of agent.matchAll(/"(https:[^"]{1,512})"/g)) {
    if (identity !== undefined && lists.signatureAgents.find(identity) !== null) return true;
    seen++;
    if (seen === MAX_IDENTITIES) break;
  }
  return false;
}
