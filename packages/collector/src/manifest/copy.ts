import { type ManifestDocument, readDocument } from './document.ts';

/** A manifest as some cache holds it, not checked yet. */
export interface Copy {
  /** null: the service said that nothing is published. */
  readonly text: string | null;
  /** null: unknown, so that the service is asked without `If-None-Match`. */
  readonly etag: string | null;
  /** When the service was asked and said so; milliseconds since 1970, 0 when unknown. */
  readonly at: number;
}

/** A copy that may be served. */
export interface UsableCopy {
  readonly document: ManifestDocument;
  readonly etag: string | null;
  readonly at: number;
}

/**
 * Of several copies the one that the service confirmed last. Copies that verify nowhere (expired, damaged, another property's) don't count.
 * @returns null when there is none, or when the service has said since that nothing is published
 */
export function newestUsable(
  copies: readonly (Copy | null)[],
  attributionId: string,
  now: number,
): UsableCopy | null {
  const newestFirst = copies.filter((copy) => copy !== null).sort((one, other) => other.at - one.at);
  for (const { text, etag, at } of newestFirst) {
    if (text === null) return null;
    const document = readDocument(text, attributionId, now);
    if (typeof document !== 'string') return { document, etag, at };
  }
  return null;
}
