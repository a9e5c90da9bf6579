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
      const text = await readText(response.body, maxBytes);
      return text === null ? { problem: 'too long' } : { status: 200, headers: response.headers, text };
    }
    // An unread body would hold one of the six connections that a Worker may have.
    await response.body?.cancel();
    return response.status === 304 ? { status: 304 } : { problem: `status ${response.status}` };
  } catch {
    return { problem: signal.aborted ? 'no answer in time' : 'no connection' };
  }
}

/**
 * @returns null when the body is longer than `maxBytes`; what is left of it is not fetched
 * @throws when the connection breaks or the request's signal ends it
 */
async function readText(body: Response['body'], maxBytes: number): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
