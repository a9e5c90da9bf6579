/**
 * How many bytes a response's body has, without touching what the visitor gets. A response is never piped through anything: that
 * loses its Content-Length and its encoding.
 */

/**
 * The most that is counted of a body without a declared length. A clone that runs on would buffer for a slow visitor, and download for one
 * who left: workerd says nothing to the Worker when the visitor of a cloned body leaves (`request.signal` stays silent, with its
 * compatibility flag too), so the origin hears of it when the counting ends.
 */
const COUNT_LIMITS: CountLimits = { bytes: 1_048_576, milliseconds: 2_000 };

export interface CountLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

const BODILESS: ReadonlySet<number> = new Set([204, 304]);
/** Bodies that end when the visitor leaves, if ever. */
const ENDLESS = /^(?:text\/event-stream|multipart\/x-mixed-replace|audio\/|video\/)/i;

/**
 * Body bytes: as the origin declared them (on the wire), else counted (decoded, up to 1 MiB).
 * Call before the response is returned: a body that was handed on can't be cloned.
 * @param mayCount whether the visit is surely reported; what is not is never cloned
 */
export function bodySize(
  method: string,
  response: Response,
  mayCount: boolean,
  limits: CountLimits = COUNT_LIMITS,
): number | Promise<number> {
  const { status } = response;
  if (method === 'HEAD' || status < 200 || BODILESS.has(status) || response.body === null) return 0;
  const declared = response.headers.get('Content-Length');
  if (declared !== null && /^\d{1,15}$/.test(declared)) return Number(declared);
  if (!mayCount || ENDLESS.test(response.headers.get('Content-Type') ?? '')) return 0;
  try {
    return countBytes(response.clone().body, limits);
  } catch {
    // A body that is already used: a handler's own, since the origin's never is.
    return 0;
  }
}

/** Reads until the end or a limit, whichever is first, then lets go. Never rejects: what was counted until then is the answer. */
async function countBytes(body: ReadableStream<Uint8Array> | null, limits: CountLimits): Promise<number> {
  if (body === null) return 0;
  const reader = body.getReader();
  const letGo = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(letGo, limits.milliseconds);
  let bytes = 0;
  try {
    while (bytes < limits.bytes) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
    }
  } catch {
    // The origin broke off: so did the visitor's copy.
  }
  clearTimeout(timer);
  letGo();
  return bytes;
}
