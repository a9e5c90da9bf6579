/** Log push lines as Cloudflare writes them. */

/** A line of an AI crawler by default. */
export function pushLine(overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    EdgeStartTimestamp: new Date().toISOString(),
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/pushed',
    ClientRequestUserAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    ClientRequestReferer: '',
    ClientIP: '198.51.100.9',
    ClientCountry: 'us',
    EdgeResponseStatus: 200,
    EdgeResponseBytes: 1_200,
    ...overrides,
  });
}
