/** One bounded GET. Everything that the collector reads over the network in the background comes through here. */

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

/** Never rejects. Redirects are not followed: whoever answers for the host must be the host. */
export async function download(
  fetch: typeof globalThis.fetch,
  { url, headers, timeoutMs, maxBytes }: DownloadRequest,
): Promise<Download> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    if (response.status === 200) {
      const text = await readText(response, maxBytes, signal);
      return text === null ? { problem: 'too long' } : { status: 200, headers: response.headers, text };
    }
    await response.body?.cancel();
    return response.status === 304 ? { status: 304 } : { problem: `status ${response.status}` };
  } catch {
    return { problem: signal.aborted ? 'no answer in time' : 'no connection' };
  }
}

/**
 * @returns null when the body is longer than `maxBytes`; what is left of it is not fetched
 * @throws when the connection breaks or `signal` is aborted
 */
async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string | null> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  // Not every runtime ends a body with the request's signal; a reader that is cancelled always ends.
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    const decoder = new TextDecoder();
    let text = '';
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > maxBytes) {
        stop();
        return null;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    signal.throwIfAborted();
    return text + decoder.decode();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
