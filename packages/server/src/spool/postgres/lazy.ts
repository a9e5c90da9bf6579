/** Loads the driver only where it is used: the spool on this node's disk starts without it. */
import type { Spool } from '../spool.ts';
import type { PostgresSpoolOptions } from './open.ts';

/** @throws as `open.ts` says */
export async function openPostgresSpool(options: PostgresSpoolOptions): Promise<Spool> {
  const { openPostgresSpool: open } = await import('./open.ts');
  return await open(options);
}

/** @throws as `left-behind.ts` says */
export async function rowsLeftBehind(url: string, node: string): Promise<number> {
  const { rowsLeftBehind: count } = await import('./left-behind.ts');
  return await count(url, node);
}
