/** The threads that read what is large. One is started when there is work for it, replaced when it dies, and ended when it has had nothing to do. */
import type { MessagePort } from 'node:worker_threads';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Log, ServiceError } from '../../common/index.ts';
import type { Lists, Thread } from '../ports.ts';
import type { Begin } from './messages.ts';

/** Longer than the minute in which log push comes again. */
const IDLE_MS = 5 * MINUTE_MS;

export interface WorkersOptions {
  readonly start: () => Thread;
  /** How many threads there may be. */
  readonly most: number;
  readonly lists: Pick<Lists, 'plain' | 'plainWithSearchEngines'>;
  readonly log: Log;
  readonly idleMs?: number;
}

/** A job without what the pool adds to it. */
export type PlannedJob = Pick<Begin, 'job' | 'checking'>;

/** @param isDead the thread ended before the job: its ports close a moment before it says so itself */
export type End = (isDead: boolean) => void;

export interface Workers {
  /** Has a thread begin with it. @returns to be called when the job has ended @throws ServiceError `unavailable` once the pool is closed */
  begin(planned: PlannedJob, port: MessagePort): End;
  close(): Promise<void>;
}

interface Member {
  readonly worker: Thread;
  /** Organization → its jobs on this thread. */
  readonly jobs: Map<string, number>;
  /** What it was sent. */
  lists: Begin['lists'] | null;
  idle: NodeJS.Timeout | undefined;
}

export function createWorkers({ start, most, lists, log, idleMs = IDLE_MS }: WorkersOptions): Workers {
  /** Those that may be given a job. */
  const members = new Set<Member>();
  /** Those that have not ended yet. */
  const threads = new Set<Thread>();
  let isClosed = false;

  const add = (): Member => {
    const worker = start();
    const member: Member = { worker, jobs: new Map(), lists: null, idle: undefined };
    members.add(member);
    threads.add(worker);
    // The ports of its jobs close with it: each request learns it so.
    worker.on('error', (error) => {
      leave(member);
      log.error({ err: error }, 'a thread that reads uploads died');
    });
    worker.on('exit', () => {
      leave(member);
      threads.delete(worker);
    });
    worker.unref();
    return member;
  };

  /** It is given no job any more. A thread that ends runs on for a moment, and would never read what it was given then. */
  const leave = (member: Member): void => {
    clearTimeout(member.idle);
    members.delete(member);
  };

  /** Where it meets the fewest organizations, and then the fewest jobs: one that has many fills no more threads than it must. */
  const choose = (organizationId: string): Member => {
    const free = [...members].find(({ jobs }) => jobs.size === 0);
    if (free !== undefined) return free;
    if (members.size < most) return add();
    const load = ({ jobs }: Member) => [
      jobs.size + (jobs.has(organizationId) ? 0 : 1),
      jobs.values().reduce((sum, count) => sum + count, 0),
    ];
    const [best] = [...members].sort((a, b) => {
      const [meets = 0, jobs = 0] = load(a);
      const [others = 0, more = 0] = load(b);
      return meets - others || jobs - more;
    });
    return best ?? add();
  };

  return {
    begin({ job, checking }, port) {
      if (isClosed)
        throw new ServiceError('unavailable', 'The service stops. Send the same request again later.');
      const { organizationId } = job.key;
      const member = choose(organizationId);
      clearTimeout(member.idle);
      member.jobs.set(organizationId, (member.jobs.get(organizationId) ?? 0) + 1);
      member.worker.postMessage({ job, checking, port, ...newLists(member) } satisfies Begin, [port]);
      return (isDead) => {
        if (isDead) leave(member);
        const left = (member.jobs.get(organizationId) ?? 1) - 1;
        if (left > 0) member.jobs.set(organizationId, left);
        else member.jobs.delete(organizationId);
        if (member.jobs.size > 0 || !members.has(member)) return;
        member.idle = setTimeout(() => {
          leave(member);
          void member.worker.terminate();
        }, idleMs);
        member.idle.unref();
      };
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((worker) => worker.terminate()));
    },
  };

  /** Lists are sent once a version. */
  function newLists(member: Member): Pick<Begin, 'lists'> {
    const news = { plain: lists.plain(), search: lists.plainWithSearchEngines() };
    if (member.lists?.plain === news.plain && member.lists.search === news.search) return {};
    member.lists = news;
    return { lists: news };
  }
}
