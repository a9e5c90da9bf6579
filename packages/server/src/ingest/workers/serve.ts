/** A worker's side: reads the bodies that it is handed, organizations in turn, and hands back rows and counts. */
import type { MessagePort } from 'node:worker_threads';
import { type BotLists, type CompiledLists, compileLists } from '@ghostlight/core';
import { ServiceError } from '../../common/index.ts';
import { takeOne } from '../check-budget.ts';
import type { PropertyFacts } from '../owners.ts';
import type { IngestContext } from '../pipeline.ts';
import { type IngestDeps, type KeyDirectories, NO_LIMITS } from '../ports.ts';
import { createPublicKeys, createSignatureChecks } from '../signatures.ts';
import { FairTurns } from './fair-turns.ts';
import { JobLine } from './job-line.ts';
import type { AskedDirectories, Begin, CheckingFacts, Failure, Job } from './messages.ts';
import { createLinesReader, type Desk, readArray } from './readers.ts';

/** Directories that one job may ask for; log lines name what they like. */
const MAX_WANTED = 64;

/** What a worker is given that no message can carry. */
export type WorkerParts = Pick<IngestDeps, 'isBot' | 'toRow'>;

/** @param parent where jobs come from */
export function serveUploads(parent: MessagePort, parts: WorkerParts): void {
  const turns = new FairTurns();
  const keys = createPublicKeys();
  const lists = new ThreadLists();
  const readLines = createLinesReader();

  const run = async (job: Job, line: JobLine, checking: CheckingFacts): Promise<void> => {
    const directories = rememberAsked(checking);
    const signatures = createSignatureChecks(directories, { take: () => takeOne(checking.account) }, keys);
    const own = turns.join(job.key.organizationId);
    const desk: Desk = {
      line,
      async turn() {
        await own.next();
        line.signal.throwIfAborted();
      },
      contextOf: lists.contexts(job, { ...parts, signatures }),
    };
    const read = job.transport === 'lines' ? await readLines(job, desk) : await readArray(job, desk);
    line.say({ done: { read, directories: directories.asked() } });
  };

  parent.on('message', ({ job, port, checking, lists: news }: Begin) => {
    if (news !== undefined) lists.use(news);
    const line = new JobLine(port);
    run(job, line, checking).catch((error: unknown) => line.say({ failed: failureOf(error) }));
  });
}

/** The lists in use, compiled when they are first asked for. */
class ThreadLists {
  #plain: () => CompiledLists = () => {
    throw new Error('a job came before the lists');
  };
  #search = this.#plain;

  use({ plain, search }: NonNullable<Begin['lists']>): void {
    this.#plain = compiledOnce(plain);
    this.#search = compiledOnce(search);
  }

  /** The job keeps the lists of its beginning. */
  contexts(
    { key, receivedAt }: Job,
    parts: WorkerParts & Pick<IngestContext, 'signatures'>,
  ): (properties: PropertyFacts) => IngestContext {
    const lists = this.#plain();
    const search = this.#search;
    return ({ owners, domains, searching, limits }) => ({
      ...{ ...parts, key, owners, lists, receivedAt },
      domainsOf: (id) => domains.get(id) ?? [],
      searchEnginesOf: (id) => (searching.has(id) ? search() : null),
      limitsOf: (id) => limits.get(id) ?? NO_LIMITS,
    });
  }
}

function compiledOnce(lists: BotLists): () => CompiledLists {
  let compiled: CompiledLists | null = null;
  return () => {
    compiled ??= compileLists(lists);
    return compiled;
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
