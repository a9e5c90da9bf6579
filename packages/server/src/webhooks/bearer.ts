/** The header of a webhook request: `Bearer <svc_wh_…>`, exactly; every other form is the same 401 outside. */
import { hasKeyForm, type PresentedKey } from '../keys/index.ts';

const FORM = /^Bearer ([0-9A-Za-z_]{1,128})$/;

/**
 * Blanks at both ends are taken off by the HTTP parser before anybody here sees them; those inside are a wrong form.
 * @param header as it came; two of them arrive joined by a comma, which no key contains
 */
export function bearerKey(header: string | undefined): PresentedKey {
  if (header === undefined || header === '') return { ok: false, cause: 'missing', candidate: null };
  const key = FORM.exec(header)?.[1];
  if (key !== undefined && hasKeyForm('svc_wh_', key)) return { ok: true, key };
  return { ok: false, cause: /\s\s|\s$|\s\S+\s/.test(header) ? 'whitespace' : 'malformed', candidate: null };
}
