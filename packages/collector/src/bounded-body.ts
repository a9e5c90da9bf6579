/** Reading what came over the network, up to a bound. */

/**
 * @param limit bytes, after decoding of the transport
 * @returns null when the body is longer; the rest of it is not fetched
 * @throws when the connection breaks or the request's signal ends it
 */
export async function readAtMost(body: Response['body'], limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.length;
    if (length > limit) {
      await reader?.cancel();
      return null;
    }
    chunks.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
