/** Memory of bytes that nothing else uses. */

/** Whether these bytes are all that is in their memory: it may then be handed to another thread, or given back. */
export function ownsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.byteLength > 0 && bytes.byteLength === bytes.buffer.byteLength;
}

/** Left to the collector of garbage, bytes would have it go through the whole heap every 64 MiB, on threads that others need. */
export function giveBack({ buffer }: Uint8Array): void {
  (buffer as ArrayBuffer).transfer(0);
}
