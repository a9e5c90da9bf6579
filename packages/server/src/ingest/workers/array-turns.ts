/** When a worker reads an array: few at once, because each is a tree of objects on its heap, and once more when the worker ends. */
import { FairPlaces } from './fair-places.ts';
import { WorkerEnded } from './hand-over.ts';

export interface ArrayTurns {
  /**
   * @param read called once more when a worker ends under it: the body of another may have been the cause
   * @throws as `read` does; the signal's reason
   */
  run<Read>(organizationId: string, signal: AbortSignal, read: () => Promise<Read>): Promise<Read>;
}

export function createArrayTurns(limits: {
  readonly arraysReadPerOrganization: number;
  readonly arraysRead: number;
}): ArrayTurns {
  const places = new FairPlaces({
    perOwner: limits.arraysReadPerOrganization,
    total: limits.arraysRead,
  });
  // One of them ended a worker, and it is not known which. They never meet again, so the next worker that ends costs no other of them anything.
  const suspects = new FairPlaces({ perOwner: 1, total: 1 });

  const within = async <Read>(
    of: FairPlaces,
    organizationId: string,
    signal: AbortSignal,
    read: () => Promise<Read>,
  ): Promise<Read> => {
    const release = await of.take(organizationId, signal);
    try {
      return await read();
    } finally {
      release();
    }
  };

  return {
    async run(organizationId, signal, read) {
      try {
        return await within(places, organizationId, signal, read);
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error;
      }
      return within(suspects, organizationId, signal, read);
    },
  };
}
