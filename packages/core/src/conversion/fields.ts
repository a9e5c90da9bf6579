/**
 * Reads an object member by member, as tolerantly as senders need: PHP writes integers for ids, `""` for what is unset and `[]` for an
 * empty object; shop systems quote their numbers. What is not asked for is kept in `extra`. A member that can't be used is left out
 * with a warning, unless the event is nothing without it.
 */
import type { JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Path, Report } from '../problems.ts';
import type { Extra } from './event.ts';
import { readEventTime } from './event-time.ts';
import type { ExtraKeeper } from './extra.ts';
import { readDecimal } from './money.ts';
import { cleanText } from './text.ts';

/** Where a reader says what it found. One per event. */
export interface Findings {
  /** Refuses the event. */
  readonly error: Report;
  /** The event stands without what was meant. */
  readonly warn: Report;
  readonly extra: ExtraKeeper;
  /** Members of the event itself that refuse it when they can't be used. */
  readonly vital: readonly string[];
}

interface Found {
  readonly value: unknown;
  readonly path: Path;
}

/** What to do with a minus: an amount paid has none, an amount paid back is often written with one. */
export type SignRule = 'refuse' | 'drop';

/** Each method names a field and, after it, older names of the same; null where it is absent or can't be used, which was reported. */
export class Fields {
  private readonly path: Path;
  private readonly findings: Findings;
  private readonly object: Readonly<Record<string, unknown>>;
  private readonly taken = new Set<string>();

  constructor(object: Readonly<Record<string, unknown>>, path: Path, findings: Findings) {
    this.object = object;
    this.path = path;
    this.findings = findings;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name) && !isAbsent(this.object[name]);
  }

  /** Whether more than an empty object or list is there. */
  says(name: string): boolean {
    const value = this.object[name];
    return (
      this.has(name) && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    );
  }

  error(name: string, message: string): void {
    this.findings.error([...this.path, name], message);
  }

  warn(name: string, message: string): void {
    this.findings.warn([...this.path, name], message);
  }

  /** @param message begins with "Must" or "Is" */
  unusable(name: string, message: string): void {
    this.refuse([...this.path, name], message);
  }

  text(limit: number, ...names: readonly string[]): string | null {
    const found = this.take(names);
    if (found === null) return null;
    const text = this.textOf(found);
    if (text !== null && text.length <= limit) return text === '' ? null : text;
    if (text !== null) this.refuse(found.path, `Must have at most ${limit} characters.`);
    // An older name of the same may hold what this one should.
    return this.text(limit, ...names.slice(names.indexOf(String(found.path.at(-1))) + 1));
  }

  /** For what a browser says about itself: no person can shorten it, so it is cut. */
  cutText(limit: number, name: string): string | null {
    const found = this.take([name]);
    const text = found === null ? null : this.textOf(found);
    return text === null || text === '' ? null : text.slice(0, limit).toWellFormed().trim();
  }

  /** @param rule what the text must be; @param message for one that is not */
  matching(rule: RegExp, limit: number, message: string, name: string): string | null {
    const text = this.text(limit, name);
    if (text === null || rule.test(text)) return text;
    this.unusable(name, message);
    return null;
  }

  /** @returns canonical decimal text ≥ 0 */
  decimal(sign: SignRule, name: string): string | null {
    const found = this.take([name]);
    if (found === null) return null;
    const { value, path } = found;
    if (typeof value !== 'number' && typeof value !== 'string') {
      this.refuse(path, 'Must be a number, or a text that holds one, such as "19.99".');
      return null;
    }
    const reading = readDecimal(value);
    if ('message' in reading) {
      this.refuse(path, reading.message);
      return null;
    }
    if (reading.rounded) this.findings.warn(path, 'Was rounded to 10 digits after the point.');
    const { decimal } = reading;
    if (!decimal.startsWith('-')) return decimal;
    if (sign === 'drop') return decimal.slice(1);
    this.refuse(path, 'Must not be negative; what was paid back is a refund.');
    return null;
  }

  /**
   * Takes what consent tools and form encoders write for yes and no (docs/webhooks.md lists the words); nothing that needs a guess.
   * @returns null where nothing usable is said
   */
  flag(name: string): boolean | null {
    const found = this.take([name]);
    if (found === null) return null;
    const answer = answerOf(found.value);
    if (answer === null) this.refuse(found.path, 'Must be true or false.');
    return answer;
  }

  /** As `flag`; but an answer that can't be read is no yes. */
  consent(name: string): boolean | null {
    const found = this.take([name]);
    if (found === null) return null;
    const answer = answerOf(found.value);
    if (answer === null)
      this.findings.warn(found.path, 'Treated as denied: must be true or false (or "granted" or "denied").');
    return answer ?? false;
  }

  /** @returns epoch milliseconds */
  time(name: string): number | null {
    const found = this.take([name]);
    if (found === null) return null;
    const at = readEventTime(found.value);
    if (at === null)
      this.refuse(
        found.path,
        'Must be a time of 2000 to 2099: seconds or milliseconds since 1970, or like 2026-11-21T12:00:00Z.',
      );
    return at;
  }

  group(name: string): Fields | null {
    return this.objectAt(name, (path) => this.refuse(path, 'Must be an object.'));
  }

  /** As `group`; but what is no object is no yes, a single "yes" for everything neither. */
  consentGroup(name: string): Fields | null {
    return this.objectAt(name, (path) =>
      this.findings.warn(
        path,
        'Counts as denied: must be an object such as {"analytics": true, "advertising": true}.',
      ),
    );
  }

  /** The objects of a list, without those that say nothing. PHP writes a list from which items were filtered as `{"0":…,"2":…}`. */
  objects(max: number, name: string): readonly Fields[] {
    const found = this.take([name]);
    if (found === null) return [];
    const { value, path } = found;
    const items = Array.isArray(value) ? [...value.entries()] : numbered(value);
    if (items === null) {
      this.refuse(path, 'Must be a list of objects.');
      return [];
    }
    if (items.length > max)
      this.findings.warn(path, `Has ${items.length} items; those after the first ${max} were left out.`);
    const objects: Fields[] = [];
    for (const [index, item] of items.slice(0, max)) {
      if (isAbsent(item) || (Array.isArray(item) && item.length === 0)) continue;
      if (!isJsonObject(item)) this.refuse([...path, index], 'Must be an object.');
      else if (Object.keys(item).length > 0) objects.push(this.below(item, [...path, index]));
    }
    return objects;
  }

  /** An object of texts, whatever their names; anything else in it is passed over. Bounded by the caller, who picks. */
  texts(name: string): ReadonlyMap<string, string> {
    const found = this.take([name]);
    const members = found !== null && isJsonObject(found.value) ? Object.entries(found.value) : [];
    return new Map(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
  }

  /** Everything that was not asked for. To be called last. */
  rest(): Extra {
    const extra: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(this.object)) {
      if (this.taken.has(name) || value === undefined) continue;
      const kept = this.findings.extra.keep(name, value);
      if (kept === undefined)
        this.findings.warn(
          [...this.path, name.slice(0, 100).toWellFormed()],
          'Was left out: an unknown field that is too large, too deep or not JSON.',
        );
      else extra[name] = kept;
    }
    return extra;
  }

  private objectAt(name: string, refuse: (path: Path) => void): Fields | null {
    const found = this.take([name]);
    if (found === null) return null;
    const { value, path } = found;
    if (Array.isArray(value) && value.length === 0) return null;
    if (isJsonObject(value)) return Object.keys(value).length === 0 ? null : this.below(value, path);
    refuse(path);
    return null;
  }

  private refuse(path: Path, message: string): void {
    const [name, ...deeper] = path;
    if (deeper.length === 0 && typeof name === 'string' && this.findings.vital.includes(name))
      this.findings.error(path, message);
    else this.findings.warn(path, `Was left out: ${message.charAt(0).toLowerCase()}${message.slice(1)}`);
  }

  private below(object: Record<string, unknown>, path: Path): Fields {
    return new Fields(object, path, this.findings);
  }

  /** The first of the names that is there. A further one stays, as an unknown field: it may mean something else. */
  private take(names: readonly string[]): Found | null {
    for (const name of names) {
      if (!Object.hasOwn(this.object, name)) continue;
      const value = this.object[name];
      this.taken.add(name);
      if (!isAbsent(value)) return { value, path: [...this.path, name] };
    }
    return null;
  }

  private textOf({ value, path }: Found): string | null {
    if (typeof value === 'string') return cleanText(value);
    if (Number.isSafeInteger(value)) return String(value);
    this.refuse(
      path,
      Number.isInteger(value)
        ? 'Is too large for JSON to carry exactly as a number: send it as text.'
        : 'Must be text, or a whole number.',
    );
    return null;
  }
}

const YES: readonly unknown[] = [true, 1, '1', 'true', 'granted', 'yes', 'on'];
const NO: readonly unknown[] = [false, 0, '0', 'false', 'denied', 'no', 'off'];

function answerOf(value: unknown): boolean | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : null;
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && cleanText(value) === '');

function numbered(value: unknown): [number, unknown][] | null {
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value);
  return members.every(([name]) => /^[0-9]{1,6}$/.test(name))
    ? members.map(([name, item]) => [Number(name), item])
    : null;
}
