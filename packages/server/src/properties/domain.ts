/** A property's domain: what people paste (an address, a port, capitals, international letters) made into a plain host. */
import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
/** The standard's reading of a host drops line breaks: two names in two lines would become one that no person wrote. */
const CONTROL = /\p{Cc}/u;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** @returns the host in lower case and ASCII form, without scheme, port, path and trailing dot; null when there is none in it */
export function normalizeDomain(text: string): string | null {
  if (text.length > 2_048) return null;
  const authority = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/, 1)[0];
  if (authority === undefined || authority.includes('@') || CONTROL.test(authority)) return null;
  const host = domainToASCII(authority.replace(/:\d{1,5}$/, ''))
    .toLowerCase()
    .replace(/\.$/, '');
  if (host === '' || host.length > MAX_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}
