/** What the operator should do about an answer of the service. The log is where they look when nothing shows, so it must say why. */

const ADVICE: ReadonlyMap<number, string> = new Map([
  [
    400,
    'The service could not read a hit (400). Check that SERVICE_INGEST_URL is the address on the setup page.',
  ],
  [
    401,
    'The service refused the key (401): it is wrong or revoked. Issue an ingest key and run `wrangler secret put SERVICE_API_KEY`.',
  ],
  [
    403,
    'Something in front of the service refused a hit (403). Let POST requests to SERVICE_INGEST_URL through.',
  ],
  [404, 'Nothing answers at SERVICE_INGEST_URL (404). Copy the address from the setup page.'],
  [405, 'SERVICE_INGEST_URL takes no hits (405). Copy the address from the setup page.'],
  [413, 'The service, or a proxy in front of it, found a hit too large (413). Allow bodies of 1 MiB there.'],
  [
    422,
    "The service rejected a hit (422). Check that SERVICE_ATTRIBUTION_ID is a property of the key's organization; the setup page shows the reason.",
  ],
]);

const UNREACHABLE = 'SERVICE_INGEST_URL could not be reached twice; hits are lost while that lasts.';

/** @param status of the last try, or null where there was no answer  @returns null where all is well */
export function adviceFor(status: number | null): string | null {
  if (status === null) return UNREACHABLE;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `SERVICE_INGEST_URL redirects (${status}), which is not followed. Set it to the address that it leads to.`;
  }
  return ADVICE.get(status) ?? `The service answered ${status}; hits are lost while that lasts.`;
}
