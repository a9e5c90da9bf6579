/** One connection that is opened when it is needed, and given up when the server does not answer in time. */
import pg from 'pg';
import { outsideRequests } from '../../common/index.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that hangs answers no farewell. */
const FAREWELL_MS = 1_000;

/** Connection level: nothing that the next try on a server that runs again could repeat. */
export class ConnectionLost extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'ConnectionLost';
  }
}

export interface ConnectionOptions {
  readonly url: string;
  /** Of the server, for one statement; and of this side, for all that is asked within one `use`. Milliseconds. */
  readonly answerMs: number;
}

export class Connection {
  readonly #options: ConnectionOptions;
  #client: pg.Client | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Runs statements; one `use` at a time, so that none lands in the transaction of another. After a failure of the connection, or none of the
   * answers in time, the next `use` opens another.
   * @throws ConnectionLost, and errors of statements as pg throws them
   */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const used = this.#queue.then(() => this.#use(work));
    this.#queue = used.catch(() => undefined);
    return used;
  }

  async #use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await this.#open();
    const { answerMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ConnectionLost(`PostgreSQL did not answer within ${answerMs / 1_000} s`));
        this.#drop(client);
      }, answerMs);
      timer.unref();
    });
    try {
      return await Promise.race([work(client), late]);
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      // What the caller's own work throws is none of the connection's.
      if (this.#client === client && !isLoss(error)) throw error;
      this.#drop(client);
      throw new ConnectionLost(`PostgreSQL: ${messageOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    const timer = setTimeout(() => this.#destroy(client), FAREWELL_MS);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  async #open(): Promise<pg.Client> {
    if (this.#closed) throw new ConnectionLost('it is closed');
    if (this.#client !== null) return this.#client;
    const { url, answerMs } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, answerMs),
      keepAlive: true,
      application_name: 'ghostlight spool',
      statement_timeout: answerMs,
      lock_timeout: answerMs / 2,
      // A node that vanished in the midst of a transaction holds its keys no longer than this.
      idle_in_transaction_session_timeout: answerMs,
      pipeline: true,
    });
    // Without a listener the loss of an idle connection would end the process.
    client.on('error', () => outsideRequests(() => this.#drop(client)));
    try {
      await client.connect();
    } catch (error) {
      this.#destroy(client);
      throw new ConnectionLost(`PostgreSQL: ${messageOf(error)}`, { cause: error });
    }
    if (this.#closed) {
      this.#destroy(client);
      throw new ConnectionLost('it is closed');
    }
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = null;
    this.#destroy(client);
  }

  /** Without a farewell: a server that hangs would not hear it. */
  #destroy(client: pg.Client): void {
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    stream.destroy();
  }
}

/** An `AggregateError` of several addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((one: unknown) => messageOf(one)).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The socket broke (`ECONNRESET`); or the server says, by class 08 or 57P, that it ended the connection. The driver's own errors have no code. */
function isLoss(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code !== 'string') return /^(Connection terminated|Client )/.test(String(message));
  return /^(08|57P|E)/.test(code);
}
