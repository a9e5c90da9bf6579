/** A worker's side: reads the uploads that it is handed, organizations in turn, and hands back rows and counts. */
import type { MessagePort } from 'node:worker_threads';
import { type CompiledLists, compileLists } from '@ghostlight/core';
import { ServiceError } from '../../common/index.ts';
import { type LinesSource, type Screens, SOURCES } from '../../sources/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import { takeOne } from '../check-budget.ts';
import type { IngestContext } from '../pipeline.ts';
import type { IngestDeps, KeyDirectories } from '../ports.ts';
import { createPublicKeys, createSignatureChecks } from '../signatures.ts';
import { requestOf } from '../source-request.ts';
import type { UploadContext } from '../transports/line-reader.ts';
import { readInflated } from '../upload/inflated.ts';
import { tooMuchWork, UploadReading } from '../upload/reading.ts';
import { FairTurns } from './fair-turns.ts';
import type {
  AskedDirectories,
  Begin,
  CheckingFacts,
  Failure,
  FromWorker,
  ToWorker,
  UploadJob,
} from './messages.ts';

/** Rows are handed back in groups: one message, not one per row. */
const GROUP_ROWS = 512;
/** Groups that are not staged yet: reading waits for the spool. */
const GROUPS_AHEAD = 2;
/** Directories that one upload may ask for; log lines name what they like. */
const MAX_WANTED = 64;

/** What a worker is given that no message can carry. */
export type WorkerParts = Pick<IngestDeps, 'isBot' | 'toRow'>;

/** @param parent where jobs come from */
export function serveUploads(parent: MessagePort, parts: WorkerParts): void {
  const turns = new FairTurns();
  const keys = createPublicKeys();
  const screens = new Map<string, Screens | null>();
  let lists: CompiledLists | null = null;
  let searchLists: CompiledLists | null = null;

  const sourceOf = (name: string): LinesSource => {
    const source = SOURCES.find(({ about }) => about.name === name);
    if (source?.transport !== 'lines') throw new Error(`${name} is no source of uploads`);
    return source;
  };
  const screensOf = (source: LinesSource): Screens | null => {
    const { name } = source.about;
    const known = screens.get(name);
    if (known !== undefined) return known;
    const made = source.screens?.() ?? null;
    screens.set(name, made);
    return made;
  };

  parent.on('message', (begin: Begin) => {
    if (begin.lists !== undefined) lists = compileLists(begin.lists);
    if (begin.searchLists !== undefined) searchLists = compileLists(begin.searchLists);
    if (lists === null) throw new Error('a job came before the lists');
    const { job, port } = begin;
    const line = new JobLine(port);
    const directories = rememberAsked(begin.checking);
    const context = contextOf(job, {
      ...{ ...parts, lists, searchLists },
      signatures: createSignatureChecks(directories, { take: () => takeOne(begin.checking.account) }, keys),
    });
    const source = sourceOf(job.source);
    const read = async (): Promise<void> => {
      const of = requestOf(job.request);
      const reading = new UploadReading(source, of, context, screensOf(source), job.limits);
      await readUpload(job, reading, line, turns);
      line.say({ done: { read: reading.result(), directories: directories.asked() } });
    };
    read().catch((error: unknown) => line.say({ failed: failureOf(error) }));
  });
}

/** @throws ServiceError; the reason of the line's signal when the job is wanted no more */
async function readUpload(
  { key, encoding, limits, head }: UploadJob,
  reading: UploadReading,
  line: JobLine,
  turns: FairTurns,
): Promise<void> {
  let leftMs = limits.uploadWorkMs;
  const step = async (work: () => boolean): Promise<boolean> => {
    await turns.next(key.organizationId);
    line.signal.throwIfAborted();
    const before = process.threadCpuUsage();
    const isDone = work();
    const { user, system } = process.threadCpuUsage(before);
    leftMs -= (user + system) / 1_000;
    if (leftMs < 0) throw tooMuchWork();
    if (reading.waitingRows >= GROUP_ROWS) await line.stage(reading.takeRows());
    return isDone;
  };
  await readInflated(head, line.pieces(), encoding, line.signal, async (chunk) => {
    const steps = reading.read(chunk);
    while (!(await step(() => steps.next().done === true)));
  });
  await step(() => {
    reading.end();
    return true;
  });
  if (reading.waitingRows > 0) await line.stage(reading.takeRows());
  await line.settled();
}

/** The port of a job, as the worker uses it. */
class JobLine {
  readonly #port: MessagePort;
  readonly #ending = new AbortController();
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #unstaged = 0;
  #waiting: (() => void)[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToWorker) => {
      if ('bytes' in message) this.#pieces.push(message.bytes);
      else if ('end' in message) this.#hasEnded = true;
      else this.#unstaged -= 1;
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

interface ThreadTools extends WorkerParts {
  readonly lists: CompiledLists;
  readonly searchLists: CompiledLists | null;
  readonly signatures: IngestContext['signatures'];
}

function contextOf(
  { key, properties, attributionId, ownAttributionId, receivedAt }: UploadJob,
  { lists, searchLists, signatures, isBot, toRow }: ThreadTools,
): UploadContext {
  return {
    key,
    owners: properties.owners,
    domainsOf: (id) => properties.domains.get(id) ?? [],
    lists,
    searchEnginesOf: (id) => (properties.searching.has(id) ? searchLists : null),
    signatures,
    isBot,
    toRow,
    receivedAt,
    attributionId,
    ownAttributionId,
  };
}

/** What was held when the job began answers; what is asked for beyond goes back with the job's end. */
function rememberAsked({ directories }: CheckingFacts) {
  const held = new Set<string>();
  const wanted = new Map<string, boolean>();
  return {
    held(url) {
      const found = directories.get(url) ?? null;
      if (found !== null) held.add(url);
      return found;
    },
    want(url, { isListed }) {
      if (wanted.size < MAX_WANTED) wanted.set(url, isListed);
    },
    asked: (): AskedDirectories => ({ held: [...held], wanted }),
  } satisfies Pick<KeyDirectories, 'held' | 'want'> & { asked: () => AskedDirectories };
}

function failureOf(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const service = error instanceof ServiceError ? error : null;
  return { message, stack, code: service?.code ?? null, headers: service?.headers };
}
