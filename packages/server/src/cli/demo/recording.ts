/** The recorded ten minutes that the demo repeats, as `scripts/make-demo-traffic.ts` writes them. */
import { readFile } from 'node:fs/promises';

const TRAFFIC = new URL('../../../demo/traffic.ndjson', import.meta.url);

/** A request to the shop, as it reaches the edge. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty for none. */
  readonly query: string;
  readonly user_agent: string;
  readonly referer: string;
  readonly ip: string;
  readonly asn: number;
  readonly country: string;
}

/** `at`: milliseconds after the recording's start. Sorted by it. */
export type Recorded =
  | { readonly at: number; readonly via: 'edge'; readonly visit: Visit }
  /** A log push line without its time and its request id. */
  | { readonly at: number; readonly via: 'edge_logpush'; readonly line: Record<string, unknown> };

export async function readRecording(): Promise<readonly Recorded[]> {
  const text = await readFile(TRAFFIC, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
}
