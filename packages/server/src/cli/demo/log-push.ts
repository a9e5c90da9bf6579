/** A Cloudflare log push job: gathers lines and uploads them gzipped, the key in the query because it can set no headers. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A real job uploads less often; this is shorter so that the demo moves. */
const INTERVAL_MS = 5_000;
const UPLOAD_LIMIT_MS = 30_000;

export interface LogPushTarget {
  /** The service. */
  readonly address: string;
  readonly property: string;
  readonly key: string;
}

/** @returns takes a line, and uploads what it has when it is time */
export function createLogPush(
  { address, property, key }: LogPushTarget,
  stopped: AbortSignal,
): (line: Record<string, unknown>) => Promise<void> {
  const query = new URLSearchParams({ 'header_X-API-Key': key, attribution_id: property });
  const url = `${address}/v1/logs/edge_logpush?${query}`;
  let lines: string[] = [];
  let uploadAt = Date.now() + INTERVAL_MS;
  return async (line) => {
    const RayID = randomBytes(8).toString('hex');
    lines.push(JSON.stringify({ EdgeStartTimestamp: new Date().toISOString(), RayID, ...line }));
    if (Date.now() < uploadAt) return;
    const body = gzipSync(`${lines.join('\n')}\n`);
    lines = [];
    uploadAt = Date.now() + INTERVAL_MS;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(UPLOAD_LIMIT_MS)]);
    const response = await fetch(url, { method: 'POST', body, signal });
    await response.body?.cancel();
  };
}
