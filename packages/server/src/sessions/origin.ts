/** From which pages a property's events may come. */

/**
 * @param origin the `Origin` header
 * @returns its host in lower case; `''` without a header (servers, old browsers), `'null'` for a page that hides its own
 */
export function originHost(origin: string | null): string {
  if (origin === null || origin === '') return '';
  const url = URL.parse(origin);
  return url === null || url.hostname === '' ? 'null' : url.hostname.toLowerCase().slice(0, 253);
}

/** Whether a host is the property's domain, lies below it (or below it without `www.`), or is listed. */
export function isOwnHost(
  host: string,
  property: { readonly domain: string; readonly allowedOrigins: readonly string[] },
): boolean {
  const own = property.domain.replace(/^www\./, '');
  return (
    [own, property.domain, ...property.allowedOrigins].includes(host) ||
    (own.includes('.') && host.endsWith(`.${own}`))
  );
}
