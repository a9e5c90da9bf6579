/** Renews the bot list from ai.robots.txt: deny list applied, our own rows kept, every new token checked. Pure. */
import {
  type BotRow,
  type BotsFile,
  type KnownUserAgent,
  tokenFault,
} from '../../packages/core/src/index.ts';

export interface BotRenewal {
  /** Version and date are still the old ones. */
  file: BotsFile;
  added: string[];
  removed: string[];
  refused: { name: string; reason: string }[];
}

/** Upstream had 166 names when this was written: far fewer is a broken answer. */
const LEAST_NAMES = 80;
/** @throws Error when the answer is not the list, or lost so much that it can't be whole */
export function renewBots(
  current: BotsFile,
  robotsJson: string,
  known: readonly KnownUserAgent[],
): BotRenewal {
  const upstream = parseRobots(robotsJson);
  const denied = new Set(Object.keys(current.denied).map((name) => name.toLowerCase()));
  const rows = new Map(current.bots.map((row) => [row.token, row]));
  const renewal: BotRenewal = { file: current, added: [], removed: [], refused: [] };
  for (const [name, entry] of upstream) {
    const token = name.toLowerCase();
    if (rows.has(token) || denied.has(token)) continue;
    const reason = tokenFault(token, known);
    if (reason !== null) {
      renewal.refused.push({ name, reason });
      continue;
    }
    rows.set(token, newRow(name, entry));
    renewal.added.push(name);
  }
  const present = new Set([...upstream.keys()].map((name) => name.toLowerCase()));
  for (const row of current.bots) {
    // Bots that a vendor documents or that we keep on purpose do not go because a list dropped them.
    if (row.source !== 'ai.robots.txt' || row.tier !== 'listed' || present.has(row.token)) continue;
    rows.delete(row.token);
    renewal.removed.push(row.name);
  }
  if (renewal.removed.length > current.bots.length / 4) {
    throw new Error(`the upstream list lacks ${renewal.removed.length} names that it had: not taken`);
  }
  const bots = [...rows.values()].sort(
    (a, b) => a.engine.localeCompare(b.engine) || a.token.localeCompare(b.token),
  );
  renewal.file = { ...current, bots };
  return renewal;
}

function parseRobots(text: string): Map<string, Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the upstream list is no JSON: not taken');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the upstream list is no object: not taken');
  }
  const names = new Map<string, Record<string, unknown>>();
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === 'object' && entry !== null) names.set(name, entry as Record<string, unknown>);
  }
  if (names.size < LEAST_NAMES) throw new Error(`the upstream list has only ${names.size} names: not taken`);
  return names;
}

/** Vendor, engine and intent are a first guess for the reviewer of the change. */
function newRow(name: string, entry: Record<string, unknown>): BotRow {
  const operator = typeof entry['operator'] === 'string' ? entry['operator'] : '';
  const vendor = vendorOf(operator);
  return {
    token: name.toLowerCase(),
    name,
    vendor,
    engine: vendor.toLowerCase().replace(/[^a-z0-9]/g, '') || 'unknown',
    intent: 'other',
    tier: 'listed',
    source: 'ai.robots.txt',
  };
}

/** Upstream writes `[Name](https://…)`, a name, or a sentence. */
function vendorOf(operator: string): string {
  const name = (/^\[([^\]]{1,64})\]/.exec(operator)?.[1] ?? operator).trim();
  return name === '' || name.length > 40 || /unclear/i.test(name) ? 'Unknown' : name;
}
