import type { Recounting } from './index.ts';

/** Where no days were ever counted. */
export const NOTHING_TO_RECOUNT: Recounting = {
  since: async () => null,
  begin: () => {},
  progress: async () => null,
};
