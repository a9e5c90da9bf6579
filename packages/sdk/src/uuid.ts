/**
 * A random UUID (version 4): the name that the browser gives an object, as the File API has it. Not `crypto.randomUUID`, which exists on https pages
 * alone, and half the size of one made of random bytes.
 */
export function uuid(): string {
  const url = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(url);
  return url.slice(-36);
}
