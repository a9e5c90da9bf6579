/** Bytes that are made when they are first asked for, and kept: a file's compressed form, which a start has no time for. */
export function once(pack: () => Uint8Array): () => Uint8Array<ArrayBuffer> {
  let packed: Uint8Array<ArrayBuffer> | undefined;
  return () => {
    packed ??= new Uint8Array(pack());
    return packed;
  };
}
