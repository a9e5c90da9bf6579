/** Scheduled jobs: each runs once per cluster at a time, its failures logged and never passed on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import { type Log, type Trace, untraced } from '../common/index.ts';

export interface Job {
  /** Names the lock: two nodes never run the same job at the same time. */
  readonly name: string;
  /** Cron pattern, read in UTC. */
  readonly schedule: string;
  /** @param signal aborted at the stop: what is not begun is left for the next run */
  run(signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Runs a job now, by hand. @throws when no job has that name, or when the job fails */
  runNow(name: string): Promise<void>;
  /** Ends the schedule, tells what is running to end, and waits for it for at most that long. A job that goes on is named in the log. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Parts of a job, one after the other; one that fails keeps no other from its turn, and none begins after the stop was asked for.
 * @throws AggregateError of what failed, after the last
 */
export function inTurn(
  parts: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const errors: unknown[] = [];
    for (const part of parts)
      if (!signal.aborted) await part(signal).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'Parts of the job failed');
  };
}

/** @param withLock runs the function while this node alone holds the named lock, or not at all (false) */
export function startJobs(
  jobs: readonly Job[],
  options: {
    withLock: (name: string, run: () => Promise<void>) => Promise<boolean>;
    log: Log;
    enabled: boolean;
    trace?: Trace;
  },
): Jobs {
  const running = new Map<Promise<void>, string>();
  const stopping = new AbortController();

  const { trace = untraced } = options;
  const attempt = (job: Job): Promise<void> => {
    const work = options
      .withLock(`job:${job.name}`, () =>
        trace({ name: `job ${job.name}`, kind: 'internal' }, () => job.run(stopping.signal)),
      )
      .then((ran) => {
        if (!ran) options.log.debug({ job: job.name }, 'another node runs this job');
      });
    const tracked = work.finally(() => running.delete(tracked));
    running.set(tracked, job.name);
    return tracked;
  };

  const schedules = options.enabled
    ? jobs.map(
        (job) =>
          // Not `timezone`, for which it asks the library of time zones at each step of its search: that takes three times as long.
          new Cron(job.schedule, { utcOffset: 0, protect: true, unref: true }, () =>
            attempt(job).catch((error: unknown) => {
              // What a stop interrupts is no fault; the next run does it.
              if (!stopping.signal.aborted) options.log.error({ job: job.name, err: error }, 'job failed');
            }),
          ),
      )
    : [];

  return {
    async runNow(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (job === undefined) throw new Error(`There is no job named ${name}.`);
      await attempt(job);
    },
    async stop(withinMs) {
      for (const schedule of schedules) schedule.stop();
      stopping.abort();
      const late = sleep(withinMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled(running.keys()), late]);
      if (running.size > 0)
        options.log.warn(
          { jobs: [...running.values()] },
          'jobs were left behind at the stop; the next run does them again',
        );
    },
  };
}
