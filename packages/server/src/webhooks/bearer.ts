/** The header of a webhook request: `Bearer <svc_wh_…>`, exactly; every other form is the same 401 outside. */
import { hasKeyForm, type PresentedKey } from '../keys/index.ts';

const FORM = /^Bearer ([0-9A-Za-z_]{1,128})$/;
const WITHOUT_SCHEME = /^svc_wh_[0-9A-Za-z]+$/;

/**
 * Blanks at both ends are taken off by the HTTP parser before our code sees them; those inside are a wrong form.
 * @param header as it came; two of them arrive joined by a comma, which no key contains
 */
export function bearerKey(header: string | undefined): PresentedKey {
  if (header === undefined || header === '') return { ok: false, cause: 'missing', candidate: null };
  const key = FORM.exec(header)?.[1];
  if (key !== undefined && hasKeyForm('svc_wh_', key)) return { ok: true, key };
  return { ok: false, cause: /\s\s|\s$|\s\S+\s/.test(header) ? 'whitespace' : 'malformed', candidate: null };
}

/** What Recent Activity says of it: for the owner, not the sender, who gets the same answer for all. */
export function authErrorText(presented: PresentedKey, header: string | undefined): string {
  if (presented.ok) return 'The key is unknown, revoked, or of another attribution ID.';
  if (presented.cause === 'missing') return 'The request had no Authorization header.';
  if (presented.cause === 'whitespace')
    return 'The Authorization header has spaces around or inside the key.';
  if (header !== undefined && WITHOUT_SCHEME.test(header))
    return 'The Authorization header has the key without "Bearer " before it.';
  return 'The Authorization header is not of the form "Bearer svc_wh_…".';
}
