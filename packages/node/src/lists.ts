/** The collector's lists, for a process that lives long: one request at a time, and a pause where the service doesn't answer. */
import { createLists, type ListsDeps, type ListsInUse } from '../../collector/src/lists/index.ts';

/** After a failure the lists in use are taken as they are for so long. */
const PAUSE_MS = 30_000;

export interface Lists {
  current(): ListsInUse;
  /** Whether only the lists of the package are there, and others may come. */
  areExpected(): boolean;
  /** Renews the lists when they are due, and gives those that are in use then. Never rejects, and is done within 5 s. */
  renewed(): Promise<ListsInUse>;
}

export function createServedLists(deps: Omit<ListsDeps, 'openCache'>, service: string): Lists {
  const lists = createLists({ ...deps, openCache: async () => null });
  // The origin is part of a key of the edge's cache, which is not there.
  const source = { botlistUrl: `${service}/v1/config/ai-bots`, siteOrigin: service };
  let asking: Promise<ListsInUse> | null = null;
  let pausedUntil = 0;
  const isPackaged = (): boolean => lists.current().origin === 'embedded';

  const ask = async (): Promise<ListsInUse> => {
    const inUse = await lists.renewed(source);
    if (inUse.origin === 'embedded') pausedUntil = deps.now() + PAUSE_MS;
    asking = null;
    return inUse;
  };

  return {
    current: () => lists.current(),
    areExpected: () => isPackaged() && deps.now() >= pausedUntil,
    renewed() {
      if (isPackaged() && deps.now() < pausedUntil) return Promise.resolve(lists.current());
      asking ??= ask();
      return asking;
    },
  };
}
