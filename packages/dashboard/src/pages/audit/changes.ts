/** What a change of the audit log changed, and its values, in words. */
import type { AuditEntry } from '../../features/people/api.ts';

/** As the service writes the change of a secret. */
export const REPLACED = 'replaced';

/** What the sentence of an action says already. */
const SAID: Readonly<Record<string, string>> = {
  'webhooks.enabled': 'enabled',
  'webhooks.disabled': 'enabled',
};

/** The changes that the sentence lacks. @param name of what was changed, as the sentence has it */
export function unsaid(
  changes: AuditEntry['changes'],
  action: string,
  name: string | undefined,
): AuditEntry['changes'] {
  return changes.filter(
    ({ what, before, after }) =>
      what !== SAID[action] &&
      // What was made or removed is named in the sentence.
      (what !== 'name' || (before ?? after) !== name || (before !== null && after !== null)),
  );
}

/** What was changed: an id is shown by the name of what it names, a field of a configuration by its own. */
export function partOf(what: string, names: ReadonlyMap<string, string>): string {
  const path = what.replace(/^config\./, '').split('.');
  const [first, event] = path;
  if (first === 'events' && event !== undefined) return `${spaced(event)} event`;
  return path.map((part) => names.get(part) ?? FIELDS[part] ?? spaced(part)).join(' ');
}

/** Fields whose names in the API say too little; the forms of destinations call them so. */
const FIELDS: Readonly<Record<string, string>> = {
  collection: 'collection endpoint',
  consent: 'required consent',
  kinds: 'rules',
  max_age_days: 'oldest event (days)',
  merchant_center: 'Merchant Center product IDs',
  user_data: 'personal data',
};

const WORDS: Readonly<Record<string, string>> = { ai: 'AI', api: 'API', id: 'ID', ids: 'IDs', url: 'URL' };

const spaced = (name: string): string =>
  name
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');

/**
 * The text of a value. Only values from a closed set are put into other words: what a person entered stays as it was.
 * @param sourceName the title of a source by its name
 */
export function valueText(what: string, value: string, sourceName: (source: string) => string): string {
  if (what === 'source') return sourceName(value);
  if (what === 'retention') return membersText(value);
  return LISTS.has(what) ? itemsText(value) : value;
}

/** Their values are lists of names of the API, as JSON. */
const LISTS: ReadonlySet<string> = new Set(['kinds']);

/** `["spoof_surge","quota"]` → `spoof surge, quota`. */
function itemsText(value: string): string {
  const items = parsed(value);
  if (!Array.isArray(items)) return value;
  return items.length === 0 ? 'none' : items.map((item) => spaced(String(item))).join(', ');
}

/** `{"ai_visits":90}` → `AI visits 90 days`. */
function membersText(value: string): string {
  const members = parsed(value);
  if (typeof members !== 'object' || members === null) return value;
  return Object.entries(members)
    .map(([name, days]) => `${spaced(name)} ${String(days)} days`)
    .join(', ');
}

/** @returns undefined for what is no JSON: long values are cut */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}
