/** A few interchangeable connections and a bounded queue before them. */
import { CODES, EngineException } from './exceptions.ts';

interface Waiting<Connection> {
  readonly give: (connection: Connection) => void;
}

export class Lane<Connection> {
  readonly #idle: Connection[];
  readonly #waiting: Waiting<Connection>[] = [];
  readonly #maxWaiting: number;
  readonly #name: string;

  constructor(name: string, connections: readonly Connection[], maxWaiting: number) {
    this.#name = name;
    this.#idle = [...connections];
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs `work` on a connection of its own.
   * @param signal aborted while waiting: the work never starts
   * @throws EngineException 202 when the queue is full, 394 when aborted in the queue
   */
  async run<Result>(work: (connection: Connection) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#queue(signal));
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else next.give(connection);
    }
  }

  #queue(signal: AbortSignal): Promise<Connection> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new EngineException(
        CODES.tooManyQueries,
        `Too many queries are waiting in the ${this.#name} lane (${this.#maxWaiting})`,
      );
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Connection> = {
        give: (connection) => {
          signal.removeEventListener('abort', leave);
          resolve(connection);
        },
      };
      const leave = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index !== -1) this.#waiting.splice(index, 1);
        reject(new EngineException(CODES.cancelled, 'The client went away while the query was waiting'));
      };
      if (signal.aborted) return leave();
      this.#waiting.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
