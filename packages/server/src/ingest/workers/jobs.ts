/** Has a worker read a body, for a request that waits for it. */

import type { CheckAccounts } from '../check-budget.ts';
import type { KeyDirectories } from '../ports.ts';
import { type HandedOver, handOver, WorkerEnded } from './hand-over.ts';
import type { Job, Reads } from './messages.ts';
import type { End, Workers } from './pool.ts';

/** @throws as `handOver` does */
export type RunJob = <J extends Job>(
  job: J,
  work: Omit<HandedOver, 'onMessage'>,
) => Promise<Reads[J['transport']]>;

export function createJobs({
  directories,
  checks,
  workers,
}: {
  readonly directories: KeyDirectories;
  readonly checks: CheckAccounts;
  readonly workers: Workers;
}): RunJob {
  return async <J extends Job>(job: J, work: Omit<HandedOver, 'onMessage'>) => {
    const { organizationId } = job.key;
    const checking = { directories: directories.all(), account: checks.of(organizationId) };
    // Time adds to what the organization may have checked, also while a body is read.
    const onMessage = (): void => void checks.of(organizationId);
    let end: End = () => undefined;
    let isDead = false;
    try {
      const { read, directories: asked } = await handOver<Reads[J['transport']]>(
        (port) => {
          end = workers.begin({ job, checking }, port);
        },
        { ...work, onMessage },
      );
      for (const url of asked.held) directories.held(url);
      for (const [url, isListed] of asked.wanted) directories.want(url, { organizationId, isListed });
      return read;
    } catch (error) {
      isDead = error instanceof WorkerEnded;
      throw error;
    } finally {
      end(isDead);
    }
  };
}
