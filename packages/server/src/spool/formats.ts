/** Versions of what the backends write, for backups: a spool of a newer one can't be opened. */
import { FORMAT_VERSION } from './file/schema.ts';
import { MIGRATIONS } from './postgres/schema.ts';

export const SPOOL_FORMATS = { file: FORMAT_VERSION, server: MIGRATIONS.length } as const;
