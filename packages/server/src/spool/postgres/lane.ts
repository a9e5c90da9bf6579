/**
 * A connection with a row of its own, by which it knows what became of its commits. Each transaction that counts something writes a fresh id
 * and the lane's counters there. When the answer to a COMMIT is lost, the row says whether it happened; when the row is gone, this session was
 * given up by the others; when the row is older than the last confirmed commit, the server has lost commits.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { CounterDelta } from '../port.ts';
import { Connection, ConnectionLost } from './connection.ts';
import type { Tables } from './schema.ts';

const SETTLE_PAUSE_MS = 200;

export type Counters = ReadonlyMap<string, number>;

export interface LaneOptions {
  readonly url: string;
  readonly tables: Tables;
  readonly session: string;
  readonly lane: number;
  readonly answerMs: number;
  /** The longest wait of `close` for the call under way. */
  readonly closeMs: number;
  /** As in the row. */
  readonly counters: Counters;
  /** The server has lost commits that it had confirmed; what it had removed after the warehouse confirmed it may be stored again. */
  readonly onLoss: (lostRows: number, repeatedRows: number) => void;
}

/** A transaction under way. */
export interface Transaction {
  /** Sent at once, behind what was sent before; what fails fails the transaction, awaited or not. */
  query<R extends pg.QueryResultRow>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<R>>;
  count(deltas: readonly CounterDelta[]): void;
}

export interface Statement {
  /** Parsed once for each connection if it has one. */
  readonly name?: string;
  readonly text: string;
}

export interface TransactionOptions {
  /** Durable with the next transaction that is: for what only that one makes count. */
  readonly lazy?: true;
}

/** The row of this session is gone: other nodes took it for dead. */
export class SessionEnded extends Error {
  constructor() {
    super('other nodes took this one for dead');
    this.name = 'SessionEnded';
  }
}

/** A commit whose answer was lost. */
interface Doubt {
  readonly id: string;
  readonly counters: Counters;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #connection: Connection;
  readonly #update: Statement;
  readonly #guard: Statement;
  #counters: Counters;
  #last: string | null = null;
  #doubt: Doubt | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(options: LaneOptions) {
    const { tables, url, answerMs, counters } = options;
    this.#options = options;
    this.#counters = counters;
    this.#connection = new Connection({ url, answerMs });
    this.#guard = {
      name: `${tables.lanes}_guard`,
      text: `SELECT last FROM ${tables.lanes} WHERE session = $1 AND lane = $2 FOR UPDATE`,
    };
    this.#update = {
      name: `${tables.lanes}_update`,
      text: `UPDATE ${tables.lanes} SET last = $3, counters = $4 WHERE session = $1 AND lane = $2`,
    };
  }

  /** As of its last commit. */
  get counters(): Counters {
    return this.#counters;
  }

  /**
   * All or nothing, and as durable as the server's COMMIT when it resolves; one at a time. A lost answer to the COMMIT is looked for.
   * @throws ConnectionLost, SessionEnded, or pg's error of a statement: then nothing was done, except where a `ConnectionLost` says otherwise
   */
  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    return this.#inTurn(() => this.#transact(work, options));
  }

  /** Statements that change nothing. */
  read<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#connection.use(work));
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Those behind the call under way fail; so does it, all or nothing, when it takes too long. */
  async close(): Promise<void> {
    this.#closed = true;
    const late = new AbortController();
    await Promise.race([
      this.#queue,
      sleep(this.#options.closeMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    await this.#connection.close();
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const ran = this.#queue
      .then(() => {
        if (this.#closed) throw new ConnectionLost('it is closed');
        return run();
      })
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#queue = ran.catch(() => undefined);
    return ran;
  }

  async #transact<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const attempt: Attempt<T> = { end: null };
    try {
      return await this.#connection.use((client) => this.#attempt(client, work, options, attempt));
    } catch (error) {
      const { end } = attempt;
      if (end === null || end.doubt === null || !(error instanceof ConnectionLost)) throw error;
      this.#doubt = end.doubt;
      if (await this.#happened(end.doubt.id)) return end.result;
      throw error;
    }
  }

  async #attempt<T>(
    client: pg.Client,
    work: (transaction: Transaction) => Promise<T>,
    { lazy }: TransactionOptions,
    attempt: Attempt<T>,
  ): Promise<T> {
    const { query, settled } = pipeline(client);
    const deltas = new Map<string, number>();
    const count = (changes: readonly CounterDelta[]) => {
      for (const [name, delta] of changes) deltas.set(name, (deltas.get(name) ?? 0) + delta);
    };
    let result: T;
    try {
      query({ text: 'BEGIN' });
      if (lazy === true) query({ text: 'SET LOCAL synchronous_commit = off' });
      const guard = query<{ last: string | null }>(this.#guard, this.#key);
      result = await work({ query, count }).catch(async (error: unknown) => {
        // What fails because the session was given up is told apart from what fails by itself.
        if ((await guard).rows.length === 0) throw new SessionEnded();
        throw error;
      });
      // Before the commit is sent: a session that was given up must change nothing any more.
      if (this.#settle(await guard) === 'lost') {
        await client.query('ROLLBACK');
        throw await this.#adoptLoss(client);
      }
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    const doubt = this.#next(deltas);
    if (doubt !== null) query(this.#update, [...this.#key, doubt.id, JSON.stringify([...doubt.counters])]);
    attempt.end = { doubt, result };
    // Sent behind the last statements without waiting for them: after an error of theirs it rolls back.
    const [{ command }] = await Promise.all([client.query('COMMIT'), settled()]);
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    if (doubt !== null) this.#adopt(doubt);
    return result;
  }

  /** What the row is to hold after this transaction; null: it counts nothing. */
  #next(deltas: ReadonlyMap<string, number>): Doubt | null {
    const changed = [...deltas].filter(([, delta]) => delta !== 0);
    if (changed.length === 0) return null;
    const counters = new Map(this.#counters);
    for (const [name, delta] of changed) counters.set(name, (counters.get(name) ?? 0) + delta);
    return { id: randomUUID(), counters };
  }

  #adopt({ id, counters }: Doubt): void {
    this.#last = id;
    this.#counters = counters;
    this.#doubt = null;
  }

  /** Reads out of the locked row what became of the commit before. @throws SessionEnded */
  #settle({ rows: [row] }: { readonly rows: readonly { readonly last: string | null }[] }): 'known' | 'lost' {
    if (row === undefined) throw new SessionEnded();
    if (this.#doubt !== null && row.last === this.#doubt.id) this.#adopt(this.#doubt);
    this.#doubt = null;
    return row.last === this.#last ? 'known' : 'lost';
  }

  /** Whether a commit whose answer was lost took place; waits until the server has ended that transaction, one way or the other. */
  async #happened(id: string): Promise<boolean> {
    // As long again as half of what an answer may take.
    const until = performance.now() + this.#options.answerMs / 2;
    while (performance.now() < until && !this.#connection.isClosed) {
      try {
        this.#settle(await this.#connection.use((client) => client.query(pgForm(this.#guard, this.#key))));
        return this.#last === id;
      } catch (error) {
        if (error instanceof SessionEnded) throw error;
        await sleep(SETTLE_PAUSE_MS);
      }
    }
    return false;
  }

  /** The server came back without its last commits, as a standby may that took over. What it has counts; the difference is lost. */
  async #adoptLoss(client: pg.Client): Promise<ConnectionLost> {
    const { tables, onLoss } = this.#options;
    const { rows } = await client.query<{ last: string | null; counters: string }>(
      `SELECT last, counters FROM ${tables.lanes} WHERE session = $1 AND lane = $2`,
      [...this.#key],
    );
    const [row] = rows;
    if (row === undefined) throw new SessionEnded();
    const { counters, lostRows, repeatedRows } = afterLoss(new Map(JSON.parse(row.counters)), this.#counters);
    const id = randomUUID();
    await client.query(pgForm(this.#update, [...this.#key, id, JSON.stringify([...counters])]));
    this.#adopt({ id, counters });
    if (lostRows > 0 || repeatedRows > 0) onLoss(lostRows, repeatedRows);
    return new ConnectionLost('PostgreSQL came back without its last commits');
  }

  get #key(): readonly [string, number] {
    return [this.#options.session, this.#options.lane];
  }
}

interface Attempt<T> {
  /** Set as the COMMIT is sent. */
  end: { readonly doubt: Doubt | null; readonly result: T } | null;
}

const pgForm = ({ name, text }: Statement, values: readonly unknown[]) => ({
  ...(name === undefined ? {} : { name }),
  text,
  values: [...values],
});

/** Statements sent one behind the other; `settled` rejects with the first that failed. */
function pipeline(client: pg.Client): Pick<Transaction, 'query'> & { settled(): Promise<void> } {
  const sent: Promise<unknown>[] = [];
  return {
    query(statement, values = []) {
      const answer = client.query(pgForm(statement, values));
      // Looked at in `settled`; one that is not awaited must not end the process.
      answer.catch(() => undefined);
      sent.push(answer);
      return answer as never;
    },
    async settled() {
      await Promise.all(sent);
    },
  };
}

/**
 * The counters of a lane whose row is older than its last confirmed commits: what was answered stays answered, what was shipped is what the
 * tables say, and rows that are in neither are lost. Rows whose removal is undone are shipped once more: under the same id they are recognised,
 * but the claim that holds the id may be lost as well.
 */
export function afterLoss(
  stands: Counters,
  confirmed: Counters,
): { counters: Counters; lostRows: number; repeatedRows: number } {
  const counters = new Map(stands);
  let lostRows = 0;
  for (const [name, value] of confirmed) {
    if (!name.includes('|')) continue;
    if (name.startsWith('kept|')) lostRows += value - (stands.get(name) ?? 0);
    counters.set(name, value);
  }
  if (lostRows !== 0) counters.set('lost', (stands.get('lost') ?? 0) + lostRows);
  const repeatedRows = Math.max(0, (confirmed.get('stored') ?? 0) - (stands.get('stored') ?? 0));
  return { counters, lostRows, repeatedRows };
}
