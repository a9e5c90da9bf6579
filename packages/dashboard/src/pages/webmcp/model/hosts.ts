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

/** The property's own name first, then the one that most sites answer under as well. Null when there is nothing to suggest. */
export function suggestedHost(hosts: readonly string[], domain: string): string | null {
  if (!hosts.includes(domain)) return domain;
  // Only names at or below the domain may be listed: `www.` can be put before it, never taken away.
  const backend = `www.${domain}`;
  return domain.startsWith('www.') || hosts.includes(backend) || !domain.includes('.') ? null : backend;
}
