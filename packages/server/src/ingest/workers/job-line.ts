/** The port of a job, as the worker uses it. */
import type { MessagePort } from 'node:worker_threads';
import type { SpoolRow } from '../../spool/index.ts';
import type { PropertyFacts } from '../owners.ts';
import type { PropertyLimits } from '../ports.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Groups of rows that are not staged yet: reading waits for the spool. */
const GROUPS_AHEAD = 2;

export class JobLine {
  readonly #port: MessagePort;
  readonly #ending = new AbortController();
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #unstaged = 0;
  #isAsking = false;
  readonly #properties = {
    owners: new Map<string, string | null>(),
    domains: new Map<string, readonly string[]>(),
    searching: new Set<string>(),
    limits: new Map<string, PropertyLimits>(),
  } satisfies PropertyFacts;
  #waiting: (() => void)[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToWorker) => {
      if ('bytes' in message) this.#pieces.push(message.bytes);
      else if ('end' in message) this.#hasEnded = true;
      else if ('staged' in message) this.#unstaged -= 1;
      else this.#learn(message.properties);
      this.#tell();
    });
    port.on('close', () => {
      this.#ending.abort(new Error('the upload is wanted no more'));
      this.#tell();
    });
  }

  /** Aborted when the job is wanted no more. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  say(message: FromWorker): void {
    this.#port.postMessage(message);
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      await this.#until(() => this.#pieces.length > 0 || this.#hasEnded);
      const piece = this.#pieces.shift();
      if (piece === undefined) return;
      this.say({ taken: piece.length });
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    }
  }

  /** What properties are set to, of all that were asked for. Each is asked for once. */
  async ask(ids: ReadonlySet<string>): Promise<PropertyFacts> {
    const asked = new Set([...ids].filter((id) => !this.#properties.owners.has(id)));
    if (asked.size > 0) {
      this.#isAsking = true;
      this.say({ asked });
      await this.#until(() => !this.#isAsking);
    }
    return this.#properties;
  }

  /** Resolves when more rows may follow. */
  async stage(rows: SpoolRow[]): Promise<void> {
    this.#unstaged += 1;
    this.say({ rows });
    await this.#until(() => this.#unstaged < GROUPS_AHEAD);
  }

  /** Resolves when all rows are staged. */
  settled(): Promise<void> {
    return this.#until(() => this.#unstaged === 0);
  }

  #learn({ owners, domains, searching, limits }: PropertyFacts): void {
    const known = this.#properties;
    for (const [id, owner] of owners) known.owners.set(id, owner);
    for (const [id, names] of domains) known.domains.set(id, names);
    for (const [id, limit] of limits) known.limits.set(id, limit);
    for (const id of searching) known.searching.add(id);
    this.#isAsking = false;
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      this.signal.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
