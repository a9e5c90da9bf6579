/** Reads one upstream file, bounded. */

export type ReadUpstream = (url: string) => Promise<string>;

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** @throws Error with one sentence when there is no complete 200 answer of at most 4 MiB within 20 s */
export async function readUpstream(url: string): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // Some vendors answer unnamed clients with a challenge page, which the parsers then refuse.
    headers: { 'User-Agent': 'ghostlight-lists/1', Accept: 'application/json, text/html;q=0.5' },
  });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${url} is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
