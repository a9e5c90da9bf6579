/** Checks lists that came over a network before they replace the ones in use. Never throws, whatever it is given. */

import { INTENTS } from './hit.ts';
import { isObject } from './json.ts';
import type { BotLists } from './lists.ts';
import { compileUrlPattern, directoryUrl } from './signatureAgents.ts';
import { MAX_TOKEN_LENGTH, MAX_TOKENS } from './tokens.ts';

/** More than these is no list of ours; all of them many times the size of today's. */
export const LIST_LIMITS = {
  patterns: MAX_TOKENS,
  domains: 2_000,
  apps: 500,
  engines: 500,
  rangeSets: 500,
  prefixesInAll: 100_000,
  agents: 200,
  keysPerAgent: 20,
  reasons: 20,
} as const;

export type ListValidation =
  | { readonly lists: BotLists }
  /** What is wrong and where (`bot_patterns/3/intent: …`); the first 20. */
  | { readonly reasons: string[] };

type Report = (place: string, problem: string) => void;
type Check = (value: unknown, place: string, report: Report) => void;

/**
 * Refuses what would blind the caller: no patterns or no referrer domains, wrong shapes, sizes beyond `LIST_LIMITS`. Members that
 * are not known are left alone: a newer service may send more. The value is returned itself, not a copy.
 */
export function validateLists(value: unknown): ListValidation {
  const reasons: string[] = [];
  const report: Report = (place, problem) => {
    if (reasons.length < LIST_LIMITS.reasons) reasons.push(`${place}: ${problem}`);
  };
  try {
    checkLists(value, report);
  } catch {
    // A getter or proxy that throws: JSON can't hold one, but the promise is "never throws".
    report('/', 'could not be read');
  }
  return reasons.length === 0 ? { lists: value as BotLists } : { reasons };
}

function checkLists(value: unknown, report: Report): void {
  if (!isObject(value)) {
    report('/', 'is no object');
    return;
  }
  const { version, generated_at: generatedAt } = value;
  if (!(Number.isSafeInteger(version) && (version as number) >= 0)) report('version', 'is no integer ≥ 0');
  if (!isText(generatedAt, 40) || Number.isNaN(Date.parse(generatedAt))) report('generated_at', 'is no time');
  list(value, 'bot_patterns', 1, LIST_LIMITS.patterns, checkPattern, report);
  list(value, 'ai_referrer_domains', 1, LIST_LIMITS.domains, checkDomain, report);
  list(value, 'ai_referrer_apps', 0, LIST_LIMITS.apps, checkName, report);
  list(value, 'verifiable_engines', 0, LIST_LIMITS.engines, checkName, report);
  list(value, 'ip_ranges', 0, LIST_LIMITS.rangeSets, checkRangeSet, report);
  list(value, 'signature_agents', 0, LIST_LIMITS.agents, checkAgent, report);
  checkNames(value['ai_referrer_names'], report);
  const sets = Array.isArray(value['ip_ranges']) ? value['ip_ranges'] : [];
  const total = sets.reduce(
    (sum, set) => sum + (isObject(set) && Array.isArray(set['prefixes']) ? set['prefixes'].length : 0),
    0,
  );
  if (total > LIST_LIMITS.prefixesInAll) report('ip_ranges', 'holds too many prefixes');
}

const checkPattern: Check = (value, place, report) => {
  if (!isObject(value)) {
    report(place, 'is no object');
    return;
  }
  const { pattern } = value;
  // One or two characters would match half the web; see the words that must never be tokens.
  if (
    !isText(pattern, MAX_TOKEN_LENGTH) ||
    !/^[a-z0-9][\x20-\x7e]+[a-z0-9]$/.test(pattern) ||
    pattern !== pattern.toLowerCase()
  ) {
    report(`${place}/pattern`, 'is no lower-case token of 3 to 64 characters');
  }
  for (const name of ['bot_name', 'engine', 'vendor']) checkName(value[name], `${place}/${name}`, report);
  checkIntent(value['intent'], `${place}/intent`, report);
};

const checkDomain: Check = (value, place, report) => {
  // A bare top-level domain would make every site below it an AI engine.
  if (!isText(value, 253) || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value))
    report(place, 'is no lower-case domain');
};

const checkName: Check = (value, place, report) => {
  if (!isText(value, 128) || value === '') report(place, 'is no text of 1 to 128 characters');
};

const checkIntent: Check = (value, place, report) => {
  if (!INTENTS.some((intent) => intent === value)) report(place, `is none of ${INTENTS.join(', ')}`);
};

const checkRangeSet: Check = (value, place, report) => {
  if (!isObject(value)) {
    report(place, 'is no object');
    return;
  }
  checkName(value['engine'], `${place}/engine`, report);
  list(value, 'bots', 1, 100, checkName, report, place);
  list(value, 'prefixes', 0, LIST_LIMITS.prefixesInAll, checkPrefix, report, place);
  const { complete } = value;
  if (complete !== undefined && typeof complete !== 'boolean') report(`${place}/complete`, 'is no boolean');
  checkDay(value['as_of'], `${place}/as_of`, report);
};

/** Empty or absent: of unknown age. */
const checkDay: Check = (value, place, report) => {
  if (value === undefined || value === '') return;
  if (!isText(value, 10) || Number.isNaN(Date.parse(value))) report(place, 'is no day');
};

const checkPrefix: Check = (value, place, report) => {
  // Text is enough: a prefix that can't be read is skipped when the set is compiled.
  if (!isText(value, 64)) report(place, 'is no text of at most 64 characters');
};

const checkAgent: Check = (value, place, report) => {
  if (!isObject(value)) {
    report(place, 'is no object');
    return;
  }
  for (const name of ['engine', 'bot_name']) checkName(value[name], `${place}/${name}`, report);
  checkIntent(value['intent'], `${place}/intent`, report);
  const { url, url_pattern: pattern } = value;
  if (url === undefined && pattern === undefined) report(place, 'has neither url nor url_pattern');
  if (url !== undefined && !(isText(url, 512) && directoryUrl(url) !== null)) {
    report(`${place}/url`, 'is no https URL');
  }
  if (pattern !== undefined && !(isText(pattern, 512) && compileUrlPattern(pattern) !== null)) {
    report(`${place}/url_pattern`, 'is no https URL with * in its host');
  }
  // A type that is not known makes no signature match: a newer service may send one.
  if (value['bots'] !== undefined) list(value, 'bots', 0, 100, checkName, report, place);
  checkDay(value['as_of'], `${place}/as_of`, report);
  list(value, 'keys', 0, LIST_LIMITS.keysPerAgent, checkKey, report, place);
};

const checkKey: Check = (value, place, report) => {
  if (!isObject(value)) {
    report(place, 'is no object');
    return;
  }
  if (value['kty'] !== 'OKP' || value['crv'] !== 'Ed25519') report(place, 'is no Ed25519 key');
  // 32 bytes in base64url without padding.
  if (!isText(value['x'], 43) || !/^[A-Za-z0-9_-]{43}$/.test(value['x']))
    report(`${place}/x`, 'is no public key');
  if (!isText(value['kid'], 256)) report(`${place}/kid`, 'is no text');
};

function checkNames(value: unknown, report: Report): void {
  if (value === undefined) return;
  if (!isObject(value)) {
    report('ai_referrer_names', 'is no object');
    return;
  }
  const entries = Object.entries(value);
  if (entries.length > LIST_LIMITS.domains + LIST_LIMITS.apps) report('ai_referrer_names', 'is too long');
  for (const [domain, name] of entries) checkName(name, `ai_referrer_names/${domain.slice(0, 64)}`, report);
}

function list(
  owner: Record<string, unknown>,
  name: string,
  least: number,
  most: number,
  check: Check,
  report: Report,
  prefix = '',
): void {
  const place = prefix === '' ? name : `${prefix}/${name}`;
  const value = owner[name];
  if (!Array.isArray(value)) {
    report(place, 'is no array');
    return;
  }
  if (value.length < least) {
    report(place, 'is empty');
    return;
  }
  if (value.length > most) {
    report(place, `has more than ${most} entries`);
    return;
  }
  for (const [index, entry] of value.entries()) check(entry, `${place}/${index}`, report);
}

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;
