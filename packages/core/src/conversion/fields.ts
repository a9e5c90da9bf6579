/**
 * Reads an object member by member, as tolerantly as senders need: PHP writes integers for ids, `""` for what is unset and `[]` for an
 * empty object; shop systems quote their numbers. What nobody asked for is kept in `extra`.
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
}

interface Found {
  readonly value: unknown;
  readonly path: Path;
}

/** What to do with a minus: an amount paid has none, an amount paid back is often written with one. */
export type SignRule = 'refuse' | 'drop';

/** Each method names a field and, after it, older names of the same; null where it is absent or was reported. */
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

  error(name: string, message: string): void {
    this.findings.error([...this.path, name], message);
  }

  warn(name: string, message: string): void {
    this.findings.warn([...this.path, name], message);
  }

  text(limit: number, ...names: readonly string[]): string | null {
    const found = this.take(names);
    if (found === null) return null;
    const text = this.textOf(found);
    if (text === null || text === '') return null;
    if (text.length > limit) {
      this.findings.error(found.path, `Must have at most ${limit} characters.`);
      return null;
    }
    return text;
  }

  /** For what a browser says about itself: nobody is there to shorten it, so it is cut. */
  cutText(limit: number, name: string): string | null {
    const found = this.take([name]);
    const text = found === null ? null : this.textOf(found);
    return text === null || text === '' ? null : text.slice(0, limit).toWellFormed().trim();
  }

  /** @param rule what the text must be; @param message for one that is not */
  matching(rule: RegExp, limit: number, message: string, name: string): string | null {
    const text = this.text(limit, name);
    if (text === null || rule.test(text)) return text;
    this.error(name, message);
    return null;
  }

  /** @returns canonical decimal text ≥ 0 */
  decimal(sign: SignRule, name: string): string | null {
    const found = this.take([name]);
    if (found === null) return null;
    const { value, path } = found;
    if (typeof value !== 'number' && typeof value !== 'string') {
      this.findings.error(path, 'Must be a number, or a text that holds one, such as "19.99".');
      return null;
    }
    const reading = readDecimal(value);
    if ('message' in reading) {
      this.findings.error(path, reading.message);
      return null;
    }
    if (reading.rounded) this.findings.warn(path, 'Was rounded to 10 digits after the point.');
    const { decimal } = reading;
    if (!decimal.startsWith('-')) return decimal;
    if (sign === 'drop') return decimal.slice(1);
    this.findings.error(path, 'Must not be negative; what was paid back is a refund.');
    return null;
  }

  /** Takes `"2"` and `2.00` too. */
  integer(sign: SignRule, name: string): number | null {
    const decimal = this.decimal(sign, name);
    if (decimal === null) return null;
    const value = Number(decimal);
    if (Number.isSafeInteger(value)) return value;
    this.error(name, 'Must be a whole number.');
    return null;
  }

  /** Takes what consent tools and form encoders write for yes and no; nothing that needs a guess. */
  flag(name: string): boolean | null {
    const found = this.take([name]);
    if (found === null) return null;
    const word = typeof found.value === 'string' ? found.value.trim().toLowerCase() : found.value;
    if (YES.includes(word)) return true;
    if (NO.includes(word)) return false;
    this.findings.error(found.path, 'Must be true or false (or "granted" or "denied").');
    return null;
  }

  /** @returns epoch milliseconds */
  time(name: string): number | null {
    const found = this.take([name]);
    if (found === null) return null;
    const at = readEventTime(found.value);
    if (at === null)
      this.findings.error(
        found.path,
        'Must be a time of 2000 to 2099: seconds or milliseconds since 1970, or like 2026-11-21T12:00:00Z.',
      );
    return at;
  }

  group(name: string): Fields | null {
    const found = this.take([name]);
    if (found === null) return null;
    const { value, path } = found;
    if (Array.isArray(value) && value.length === 0) return null;
    if (isJsonObject(value)) return Object.keys(value).length === 0 ? null : this.below(value, path);
    this.findings.error(path, 'Must be an object.');
    return null;
  }

  /** The objects of a list, without those that say nothing. PHP writes a list from which items were filtered as `{"0":…,"2":…}`. */
  objects(max: number, name: string): readonly Fields[] {
    const found = this.take([name]);
    if (found === null) return [];
    const { value, path } = found;
    const items = Array.isArray(value) ? [...value.entries()] : numbered(value);
    if (items === null) {
      this.findings.error(path, 'Must be a list of objects.');
      return [];
    }
    if (items.length > max) {
      this.findings.error(path, `Must list at most ${max}.`);
      return [];
    }
    const objects: Fields[] = [];
    for (const [index, item] of items) {
      if (isAbsent(item) || (Array.isArray(item) && item.length === 0)) continue;
      if (!isJsonObject(item)) this.findings.error([...path, index], 'Must be an object.');
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
    this.findings.error(
      path,
      Number.isInteger(value)
        ? 'Is too large for JSON to carry exactly as a number: send it as text.'
        : 'Must be text, or a whole number.',
    );
    return null;
  }
}

const YES: readonly unknown[] = [true, 1, '1', 'true', 'granted'];
const NO: readonly unknown[] = [false, 0, '0', 'false', 'denied'];

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && cleanText(value) === '');

function numbered(value: unknown): [number, unknown][] | null {
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value);
  return members.every(([name]) => /^[0-9]{1,6}$/.test(name))
    ? members.map(([name, item]) => [Number(name), item])
    : null;
}
