/** What runs by the clock: each job once per cluster at a time, its failures logged and never passed on. */
import { Cron } from 'croner';
import type { Log } from '../kit/index.ts';

export interface Job {
  /** Names the lock: two nodes never run the same job at the same time. */
  readonly name: string;
  /** Cron pattern, read in UTC. */
  readonly schedule: string;
  run(): Promise<void>;
}

export interface Jobs {
  /** Runs a job now, by hand. @throws when no job has that name, or when the job fails */
  runNow(name: string): Promise<void>;
  /** Ends the schedule and waits for what is running. */
  stop(): Promise<void>;
}

/** Parts of a job, one after the other; one that fails keeps no other from its turn. @throws AggregateError of what failed, after the last */
export function inTurn(parts: readonly (() => Promise<unknown>)[]): () => Promise<void> {
  return async () => {
    const errors: unknown[] = [];
    for (const part of parts) await part().catch((error: unknown) => errors.push(error));
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
  },
): Jobs {
  const running = new Set<Promise<void>>();

  const attempt = (job: Job): Promise<void> => {
    const work = options
      .withLock(`job:${job.name}`, () => job.run())
      .then((ran) => {
        if (!ran) options.log.debug({ job: job.name }, 'another node runs this job');
      });
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  };

  const schedules = options.enabled
    ? jobs.map(
        (job) =>
          new Cron(job.schedule, { timezone: 'UTC', protect: true, unref: true }, () =>
            attempt(job).catch((error: unknown) =>
              options.log.error({ job: job.name, err: error }, 'job failed'),
            ),
          ),
      )
    : [];

  return {
    async runNow(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (job === undefined) throw new Error(`There is no job named ${name}.`);
      await attempt(job);
    },
    async stop() {
      for (const schedule of schedules) schedule.stop();
      await Promise.allSettled(running);
    },
  };
}
