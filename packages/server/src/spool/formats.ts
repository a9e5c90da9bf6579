/** Versions of what the backends write, for backups: a spool of a newer one can't be opened. */
import { FORMAT_VERSION } from './file/schema.ts';

/** How many lists of statements `postgres/schema.ts` has; its test compares. That file loads the driver. */
const POSTGRES_VERSION = 1;

export const SPOOL_FORMATS = { file: FORMAT_VERSION, postgres: POSTGRES_VERSION } as const;
