/**
 * The upload by which Cloudflare tests a destination before it creates a job: gzipped `{"content":"tests"}`, in older versions
 * plain `test`, in some an empty body. Creation fails unless it is answered 2xx.
 */

/** @param body the whole decompressed body, at most 1 KiB */
export function isValidationUpload(body: Buffer): boolean {
  const text = body.toString().trim();
  if (text === '' || text === 'test' || text === '"test"') return true;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    // The text may change; a lone `content` is no field of any log.
    const members = Object.entries(value);
    return members.length === 1 && members[0]?.[0] === 'content' && typeof members[0][1] === 'string';
  } catch {
    return false;
  }
}
