/**
 * All other traffic of logs that have every request: how many requests of a quarter of an hour were people's, and how many other programs',
 * by the name that these give themselves. The numbers become rows that ride with the hits of their batch, so that they are as durable as
 * those and count as often. Nothing else of these requests is kept.
 */
import { randomUUID } from 'node:crypto';
import {
  COUNTED_MS,
  type CountedKind,
  type CountedRow,
  countedHour,
  countedKind,
  crawlerAgent,
  hitId,
  isFilePath,
  type ObservedHit,
  type ProgramCount,
  weightOf,
} from '@ghostlight/core';
import { type CountedRequests, monthOf } from '../sources/index.ts';
import type { SpoolRow } from '../spool/index.ts';
import { type IngestContext, isOutlived } from './pipeline.ts';

/** The label under which such rows are counted as kept. */
export const COUNTED = 'counted';
/** Begins the ID of a number that is of one request: it says nothing of others at its time (`warehouse/reports/coverage.ts`). */
const ALONE = 'alone';
/** Any client can send any host: requests for more than these count for the host "". */
const MAX_HOSTS = 50;
/** A program can give itself any name: requests of more than these count for no name. */
const MAX_PROGRAMS = 100;
/** Numbers that wait to become rows. An upload of more quarters and hosts makes more rows of them. */
const MAX_CELLS = 2_000;
/** User agents come again and again; a sender of random ones costs time, not memory. */
const REMEMBERED = 4_000;

const KINDS = [
  { name: 'people_pages', asset: false, other_bot: false },
  { name: 'people_files', asset: true, other_bot: false },
  { name: 'bot_pages', asset: false, other_bot: true },
  { name: 'bot_files', asset: true, other_bot: true },
] as const satisfies readonly { name: CountedKind; asset: boolean; other_bot: boolean }[];
type Numbers = Record<CountedKind, number>;

/** Of one property, source, host, share and quarter of an hour. */
interface Cell extends Numbers {
  /** Who the programs were, of those that are told apart: parts of `bot_pages` and `bot_files`. */
  readonly programs: Map<string, Readonly<ProgramCount>>;
  readonly attributionId: string;
  readonly source: string;
  readonly at: number;
  readonly host: string;
  readonly loggedShare: number | null;
}

const NONE: Numbers = { people_pages: 0, people_files: 0, bot_pages: 0, bot_files: 0 };

export class Others {
  readonly #context: IngestContext;
  readonly #source: string;
  readonly #counts: 'lines' | 'records';
  readonly #cells = new Map<string, Cell>();
  readonly #hosts = new Set<string>();
  readonly #programs = new Set<string>();
  /** By user agent: the program's name, "" for one without; null: a person. */
  readonly #agents = new Map<string, string | null>();
  #waiting = 0;
  #rows: SpoolRow[] = [];

  /** @param counts of what its numbers are made */
  constructor(source: string, counts: 'lines' | 'records', context: IngestContext) {
    this.#source = source;
    this.#counts = counts;
    this.#context = context;
  }

  /** A visit that was kept: the log has what came to this host at that time. */
  see(hit: ObservedHit, attributionId: string): void {
    if (this.#counts === 'lines' && !this.isOutlived(hit.at, attributionId)) this.#cellOf(hit, attributionId);
  }

  /** The property keeps numbers, like samples, for less long. @param at epoch milliseconds */
  isOutlived(at: number, attributionId: string): boolean {
    return isOutlived(at, 'sample', attributionId, this.#context);
  }

  /** A request that is no AI visit. */
  add(hit: ObservedHit, attributionId: string): void {
    if (this.isOutlived(hit.at, attributionId)) return;
    const program = this.#programOf(hit.userAgent);
    const kind = countedKind({ isBot: program !== null, isFile: isFilePath(hit.path) });
    if (this.#counts === 'lines') {
      const cell = this.#cellOf(hit, attributionId);
      cell[kind] += 1;
      this.#countProgram(cell, program, kind);
      return;
    }
    // Its sender took it for an AI visit and did not count it. It has an ID of its own, so it counts once, whatever batch it comes in.
    const cell = {
      ...{ ...NONE, ...keyOf(hit, hit.host), attributionId, source: this.#source },
      ...{ [kind]: 1, programs: programsOf(program, kind) },
    };
    this.#push(cell, hit.rayId, ALONE);
  }

  /** What the sender has counted. */
  record(
    { quarters, id, at, host, loggedShare, programs, ...numbers }: CountedRequests,
    attributionId: string,
  ): void {
    for (let quarter = 0; quarter < quarters; quarter += 1) {
      // The numbers are of the whole time. Its other quarters are counted too.
      const own = quarter === 0 ? numbers : NONE;
      const begins = at + quarter * COUNTED_MS;
      const cell = {
        ...{ ...own, attributionId, source: this.#source, at: begins, host, loggedShare },
        programs: quarter === 0 ? new Map(programs) : new Map(),
      };
      this.#push(cell, id === '' || quarter === 0 ? id : `${id}+${quarter}`);
    }
  }

  /** Rows made since the last call. @param isEnd what is not a row yet becomes one */
  takeRows(isEnd: boolean): SpoolRow[] {
    if (isEnd) this.#flush();
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #cellOf(hit: ObservedHit, attributionId: string): Cell {
    const { at, host, loggedShare } = keyOf(hit, this.#nameOf(hit.host));
    const key = `${attributionId} ${at} ${loggedShare ?? 1} ${host}`;
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      this.#makeRoom();
      cell = { ...NONE, attributionId, source: this.#source, at, host, loggedShare, programs: new Map() };
      this.#cells.set(key, cell);
    }
    return cell;
  }

  #nameOf(host: string): string {
    if (this.#hosts.has(host)) return host;
    if (this.#hosts.size >= MAX_HOSTS) return '';
    this.#hosts.add(host);
    return host;
  }

  #countProgram(cell: Cell, program: string | null, kind: CountedKind): void {
    for (const [name, [pages, files]] of programsOf(program, kind)) {
      const own = cell.programs.get(name);
      if (own === undefined && !this.#hasRoomFor(name)) return;
      cell.programs.set(name, [(own?.[0] ?? 0) + pages, (own?.[1] ?? 0) + files]);
    }
  }

  #hasRoomFor(program: string): boolean {
    if (!this.#programs.has(program) && this.#programs.size >= MAX_PROGRAMS) return false;
    this.#programs.add(program);
    this.#waiting += 1;
    return true;
  }

  #makeRoom(): void {
    if (this.#waiting >= MAX_CELLS) this.#flush();
    this.#waiting += 1;
  }

  #flush(): void {
    for (const cell of this.#cells.values()) this.#push(cell, '');
    this.#cells.clear();
    this.#waiting = 0;
  }

  /** @param id by which its rows are known when they come again; empty: they are not */
  #push(cell: Cell, id: string, kindOfId: typeof ALONE | typeof COUNTED = COUNTED): void {
    const before = this.#rows.length;
    for (const { name, asset, other_bot } of KINDS) {
      const key = id === '' ? '' : `${kindOfId}:${id}:${name}`;
      let rest = cell[name];
      for (const [program, [pages, files]] of other_bot ? cell.programs : []) {
        const own = asset ? files : pages;
        if (own === 0) continue;
        rest -= own;
        const kind = { asset, other_bot, user_agent: program };
        this.#rows.push(this.#rowOf(cell, own, kind, key === '' ? '' : `${key}:${program}`));
      }
      if (rest > 0) this.#rows.push(this.#rowOf(cell, rest, { asset, other_bot }, key));
    }
    // A row of nothing says that there was nothing.
    const [{ name, asset, other_bot }] = KINDS;
    if (this.#rows.length === before)
      this.#rows.push(
        this.#rowOf(cell, 0, { asset, other_bot }, id === '' ? '' : `${kindOfId}:${id}:${name}`),
      );
  }

  #rowOf(
    { attributionId, source, at, host, loggedShare }: Cell,
    count: number,
    kind: Pick<CountedRow, 'asset' | 'other_bot' | 'user_agent'>,
    key: string,
  ): SpoolRow {
    const { key: owner, receivedAt, toRow } = this.#context;
    const row: CountedRow = {
      id: key === '' ? randomUUID() : hitId(attributionId, key),
      organization_id: owner.organizationId,
      attribution_id: attributionId,
      at,
      received_at: receivedAt,
      source,
      class: COUNTED,
      host,
      ...kind,
      sample_rate: loggedShare ?? 0,
      weight: count * weightOf({ sampleRate: null, loggedShare }),
      ray_id: key,
    };
    return {
      line: toRow(row),
      month: monthOf(at),
      dedupKey: key === '' ? null : `${attributionId}:${key}`,
      label: COUNTED,
    };
  }

  #programOf(userAgent: string): string | null {
    const known = this.#agents.get(userAgent);
    if (known !== undefined) return known;
    const program = this.#context.isBot(userAgent) ? crawlerAgent(userAgent) : null;
    if (this.#agents.size >= REMEMBERED) this.#agents.clear();
    this.#agents.set(userAgent, program);
    return program;
  }
}

/** @param program null: a person */
const programsOf = (program: string | null, kind: CountedKind): Map<string, ProgramCount> =>
  program === null || program === ''
    ? new Map()
    : new Map([[program, kind === 'bot_files' ? [0, 1] : [1, 0]]]);

const keyOf = ({ at, loggedShare }: ObservedHit, host: string) => ({
  at: countedHour(at),
  host,
  loggedShare,
});
