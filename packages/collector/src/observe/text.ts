/** Cuts to `limit` UTF-16 code units; a surrogate pair that the cut splits becomes U+FFFD, as the service's decoder does it. */
export function cut(text: string, limit: number): string {
  const short = text.length > limit ? text.slice(0, limit) : text;
  return short.isWellFormed() ? short : short.toWellFormed();
}
