/**
 * All requests that are no AI visits, as numbers: how many of a host and a quarter of an hour were people's, and how many those of other programs,
 * of which crawlers by their names. Programs on the server send them as `{"counted": …}` between visits; nothing else of those requests leaves.
 */
import { MINUTE_MS } from './time.ts';

export const COUNTED_KINDS = ['people_pages', 'people_files', 'bot_pages', 'bot_files'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** Days of all time zones begin with a quarter of an hour. */
const COUNTED_MINUTES = 15;
export const COUNTED_MS = COUNTED_MINUTES * MINUTE_MS;
/** Times and hosts that one batch takes along. */
export const MAX_COUNTED = 500;
/** Any client can send any host: requests for more than these count for the host "". */
const MAX_HOSTS = 50;

/** A program can give itself any name: requests of more than these in a time count for no name. */
export const MAX_PROGRAMS = 50;

/** A request that is no AI visit. */
export interface Other {
  readonly isBot: boolean;
  /** Of a program: `crawlerAgent` of its user agent; absent or "": not told apart. */
  readonly program?: string;
  /** No page: an image, a script, a feed. */
  readonly isFile: boolean;
}

export interface CountedTime extends Record<CountedKind, number> {
  /** Epoch milliseconds at which it begins. */
  readonly hour: number;
  readonly minutes: number;
  readonly host: string;
  /** Numbers that come again with it count once. */
  readonly id: string;
  /** Of `bot_pages` and `bot_files`, those of crawlers, by `crawlerAgent`; absent: none was told apart. */
  programs?: Record<string, ProgramCount>;
}

export type ProgramCount = [pages: number, files: number];

/** When the time of a request began; epoch milliseconds, as its argument. */
export const countedHour = (timestamp: number): number => Math.floor(timestamp / COUNTED_MS) * COUNTED_MS;

/** @param hour as `countedHour` says */
export const newCounted = (hour: number, host: string, id: string): CountedTime => ({
  hour,
  minutes: COUNTED_MINUTES,
  host,
  id,
  people_pages: 0,
  people_files: 0,
  bot_pages: 0,
  bot_files: 0,
});

export function countOther(time: CountedTime, other: Other): void {
  time[countedKind(other)] += 1;
  if (!other.isBot || other.program === undefined || other.program === '') return;
  time.programs ??= {};
  const { programs } = time;
  if (!Object.hasOwn(programs, other.program)) {
    if (Object.keys(programs).length >= MAX_PROGRAMS) return;
    programs[other.program] = [0, 0];
  }
  const own = programs[other.program];
  if (own !== undefined) own[other.isFile ? 1 : 0] += 1;
}

export function countedKind({ isBot, isFile }: Pick<Other, 'isBot' | 'isFile'>): CountedKind {
  if (isBot) return isFile ? 'bot_files' : 'bot_pages';
  return isFile ? 'people_files' : 'people_pages';
}

/** The hosts that are counted apart, up to a bound. */
export class CountedHosts {
  readonly #hosts = new Set<string>();

  /** @returns the host, or "" when there are too many of them already */
  nameOf(host: string): string {
    if (this.#hosts.has(host)) return host;
    if (this.#hosts.size >= MAX_HOSTS) return '';
    this.#hosts.add(host);
    return host;
  }

  /** Forgets all but these. */
  keep(hosts: Iterable<string> = []): void {
    this.#hosts.clear();
    for (const host of hosts) this.#hosts.add(host);
  }
}
