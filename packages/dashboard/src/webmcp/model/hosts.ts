/** Host names as people type and paste them. */

/** `https://Shop.example/cart` → `shop.example`; what is no address stays, for the service to say why. */
export function hostOf(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  try {
    return new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`).hostname;
  } catch {
    return text.toLowerCase();
  }
}

/** The name that most sites answer under as well: `www.` put before it, or taken away. Null when it is listed. */
export function suggestedHost(hosts: readonly string[], domain: string): string | null {
  if (!hosts.includes(domain)) return domain;
  const twin = domain.startsWith('www.') ? domain.slice(4) : `www.${domain}`;
  return hosts.includes(twin) || !domain.includes('.') ? null : twin;
}
