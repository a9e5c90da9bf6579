/** One bounded GET, for lists and key directories. The manifest's service tells more apart, and reads its own. */
import { readAtMost } from '../bounded-body.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** For the whole: connection, headers and body. */
  readonly timeoutMs: number;
  /** After decoding. */
  readonly maxBytes: number;
}

export type Download =
  | { readonly status: 200; readonly headers: Headers; readonly text: string }
  | { readonly status: 304 }
  /** A word or two for the log, without anything that the other side has sent. */
  | { readonly problem: string };

/** Never rejects. Redirects are not followed: only the host itself may answer. */
export async function download(
  fetch: typeof globalThis.fetch,
  { url, headers, timeoutMs, maxBytes }: DownloadRequest,
): Promise<Download> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    if (response.status === 200) {
      const bytes = await readAtMost(response.body, maxBytes);
      if (bytes === null) return { problem: 'too long' };
      return { status: 200, headers: response.headers, text: new TextDecoder().decode(bytes) };
    }
    // An unread body would hold one of the six connections that a Worker may have.
    await response.body?.cancel();
    return response.status === 304 ? { status: 304 } : { problem: `status ${response.status}` };
  } catch {
    return { problem: signal.aborted ? 'no answer in time' : 'no connection' };
  }
}
