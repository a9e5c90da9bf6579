/**
 * Finds the lines of an upload that can't be AI traffic without parsing them: in an unfiltered job that is 97 of 100. A line passes unparsed only
 * when it is in the plain form that edges write (no blanks between tokens, no unicode escapes) and each trace by which core would know AI traffic
 * is ruled out by core's own matchers. Any uncertain line is parsed; so screening changes the cost of a line, never its fate. (A line that passes
 * unparsed isn't checked for being JSON throughout.)
 *
 * Text is the block's bytes as latin1, so offsets are byte offsets.
 */
import type { CompiledLists } from '@ghostlight/core';
import { FIELD_LIMITS } from '@ghostlight/core';
import type { LineScreening, Screens } from '../source.ts';

/** Distinct user agents and referring sites remembered; a sender of random ones costs misses, not memory. */
const MAX_REMEMBERED = 20_000;
const MAX_ORIGIN = 300;

const USER_AGENT = 'UserAgent"';
const REFERRER = 'Referer"';
const CATEGORY = 'BotCategory"';
const REQUEST_KEY = '"ClientRequest';
const VERIFIED_KEY = '"Verified';
/** The one query parameter that is a trace, as far as it is rare in paths and hosts (`/resources/` is not). */
const CAMPAIGN = '_source';
/** A key or value in an unicode escape could be any of the above. */
const ESCAPE = '\\u';

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const FIVE = 0x35;
const SIX = 0x36;
const SEVEN = 0x37;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_F = 0x66;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A text that is looked for, by its rarest letter: V8 searches for one letter inline, for more through a slow call. */
class Needle {
  readonly length: number;
  readonly #anchor: string;
  readonly #anchorAt: number;
  readonly #codes: Uint8Array;

  /** @param anchor a letter that is rare in log lines, at its first place in `text` */
  constructor(text: string, anchor: string) {
    this.length = text.length;
    this.#anchor = anchor;
    this.#anchorAt = text.indexOf(anchor);
    this.#codes = Buffer.from(text, 'latin1');
  }

  /** Infinity when there is none. */
  find(text: string, from: number): number {
    let at = text.indexOf(this.#anchor, from + this.#anchorAt);
    while (at !== -1) {
      if (this.isAt(text, at - this.#anchorAt)) return at - this.#anchorAt;
      at = text.indexOf(this.#anchor, at + 1);
    }
    return Number.POSITIVE_INFINITY;
  }

  isAt(text: string, at: number): boolean {
    const codes = this.#codes;
    for (let i = codes.length - 1; i >= 0; i--) if (text.charCodeAt(at + i) !== codes[i]) return false;
    return true;
  }
}

/** Where a needle occurs next; one that a block lacks is searched for once per block, not once per line. */
class Cursor {
  readonly needle: Needle;
  #at = -1;

  constructor(needle: Needle) {
    this.needle = needle;
  }

  reset(): void {
    this.#at = -1;
  }

  /** The first occurrence at or behind `from`, which never goes back; Infinity when there is none. */
  next(text: string, from: number): number {
    if (this.#at < from) this.#at = this.needle.find(text, from);
    return this.#at;
  }
}

/** What uploads learn of senders' values and share: it holds for one version of the lists. */
export class ScreenMemory {
  readonly lists: CompiledLists;
  /** Raw bytes of a user agent → whether it is none of the list's. */
  readonly userAgents = new Map<string, boolean>();
  /** Raw bytes of a referrer up to its path → whether it is none of the list's. */
  readonly origins = new Map<string, boolean>();

  constructor(lists: CompiledLists) {
    this.lists = lists;
  }
}

/** One memory for uploads of properties that tell search crawlers apart, one for all others: what is ordinary differs. */
export function createScreens(): Screens {
  const memories: { plain: ScreenMemory | null; search: ScreenMemory | null } = { plain: null, search: null };
  return (lists, withSearchEngines) => {
    const kind = withSearchEngines === null ? 'plain' : 'search';
    const judging = withSearchEngines ?? lists;
    let memory = memories[kind];
    if (memory?.lists !== judging) {
      memory = new ScreenMemory(judging);
      memories[kind] = memory;
    }
    return new LineScreen(memory);
  };
}

/** The screen of one upload: it remembers how far it has looked. */
export class LineScreen implements LineScreening {
  readonly #memory: ScreenMemory;
  readonly #userAgent = new Cursor(new Needle(USER_AGENT, 'U'));
  readonly #referrer = new Cursor(new Needle(REFERRER, 'f'));
  readonly #category = new Cursor(new Needle(CATEGORY, 'B'));
  readonly #campaign = new Cursor(new Needle(CAMPAIGN, '_'));
  readonly #escape = new Cursor(new Needle(ESCAPE, '\\'));
  readonly #percent = new Cursor(new Needle('%', '%'));
  readonly #requestKey = new Needle(REQUEST_KEY, '"');
  readonly #verifiedKey = new Needle(VERIFIED_KEY, '"');
  readonly #cursors = [
    this.#userAgent,
    this.#referrer,
    this.#category,
    this.#campaign,
    this.#escape,
    this.#percent,
  ];

  constructor(memory: ScreenMemory) {
    this.#memory = memory;
  }

  /** A new block of whole lines comes, each ended by a line feed. */
  begin(): void {
    for (const cursor of this.#cursors) cursor.reset();
  }

  /** Whether the line can't be AI traffic. Asked of a block's lines in their order. @param end offset of its line feed */
  isOrdinary(text: string, start: number, end: number): boolean {
    if (end - start < 2 || text.charCodeAt(start) !== OPEN_BRACE || text.charCodeAt(end - 1) !== CLOSE_BRACE)
      return false;
    if (this.#campaign.next(text, start) < end || this.#escape.next(text, start) < end) return false;
    return (
      this.#hasOrdinaryAgent(text, start, end) &&
      this.#hasOrdinaryReferrer(text, start, end) &&
      this.#hasNoCategory(text, start, end) &&
      this.#hidesNoCampaign(text, start, end)
    );
  }

  /** `utm_source` in percent escapes: lower-case letters are %61 to %7A, the underscore is %5F. No sender writes this, except to hide. */
  #hidesNoCampaign(text: string, start: number, end: number): boolean {
    for (let at = this.#percent.next(text, start); at < end; at = this.#percent.next(text, at + 1)) {
      const high = text.charCodeAt(at + 1);
      if (high === SIX || high === SEVEN) return false;
      if (high === FIVE && (text.charCodeAt(at + 2) | 0x20) === LOWER_F) return false;
    }
    return true;
  }

  #hasOrdinaryAgent(text: string, start: number, end: number): boolean {
    const at = this.#userAgent.next(text, start);
    if (at >= end) return false;
    const from = valueStart(text, at, this.#userAgent.needle, this.#requestKey);
    if (from === -1) return false;
    const to = text.indexOf('"', from);
    if (to === -1 || to >= end || to - from > FIELD_LIMITS.userAgent) return false;
    // Twice the same key: JSON.parse takes the last one.
    if (this.#userAgent.next(text, to) < end) return false;
    const agent = text.slice(from, to);
    const known = this.#memory.userAgents.get(agent);
    return (
      known ??
      remember(
        this.#memory.userAgents,
        agent,
        isPlain(agent) && this.#memory.lists.tokens.match(decoded(agent)) === null,
      )
    );
  }

  #hasOrdinaryReferrer(text: string, start: number, end: number): boolean {
    const at = this.#referrer.next(text, start);
    if (at >= end) return true;
    const from = valueStart(text, at, this.#referrer.needle, this.#requestKey);
    if (from === -1 || this.#referrer.next(text, from) < end) return false;
    let slashes = 0;
    let to = from;
    for (; to < from + MAX_ORIGIN; to++) {
      const char = text.charCodeAt(to);
      if (char === QUOTE) break;
      if (char === BACKSLASH) return false;
      if (char === SLASH && ++slashes === 3) break;
    }
    if (to === from) return true;
    if (to >= end || to === from + MAX_ORIGIN) return false;
    const origin = text.slice(from, to);
    const known = this.#memory.origins.get(origin);
    return known ?? remember(this.#memory.origins, origin, this.#isForeign(origin));
  }

  /** Whether no referrer that begins so, whatever its path, is an AI product's. */
  #isForeign(origin: string): boolean {
    if (!/^(?:https?|android-app):\/\/[^/?#\\\s@]+$/.test(origin) || !isPlain(origin)) return false;
    return this.#memory.lists.referrers.match(`${decoded(origin)}/`, undefined) === null;
  }

  #hasNoCategory(text: string, start: number, end: number): boolean {
    const at = this.#category.next(text, start);
    if (at >= end) return true;
    const from = valueStart(text, at, this.#category.needle, this.#verifiedKey);
    if (from === -1 || this.#category.next(text, from) < end) return false;
    const first = text.charCodeAt(from);
    if (first === QUOTE) return true;
    const lower = first | 0x20;
    return lower > 0x61 && lower <= 0x7a;
  }
}

/** Where the text value of the key found at `at` begins; -1 unless it is exactly that key of an object, with a text behind it. */
function valueStart(text: string, at: number, needle: Needle, prefix: Needle): number {
  const colon = at + needle.length;
  if (text.charCodeAt(colon) !== COLON || text.charCodeAt(colon + 1) !== QUOTE) return -1;
  const keyStart = at - prefix.length;
  if (!prefix.isAt(text, keyStart)) return -1;
  const before = text.charCodeAt(keyStart - 1);
  return before === COMMA || before === OPEN_BRACE ? colon + 2 : -1;
}

/** No escape and no control character: the bytes are the text. */
function isPlain(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    const char = raw.charCodeAt(i);
    if (char === BACKSLASH || char < 0x20) return false;
  }
  return true;
}

function decoded(raw: string): string {
  return Buffer.from(raw, 'latin1').toString();
}

/** Keys are copied: a slice would keep the whole block that it was cut from alive. */
function remember(map: Map<string, boolean>, raw: string, value: boolean): boolean {
  if (map.size >= MAX_REMEMBERED) map.clear();
  map.set(Buffer.from(raw, 'latin1').toString('latin1'), value);
  return value;
}
