/** Names of downloads, which lie beside those of other sites and months. */

/**
 * `shop.example-pages-2026-10-30-to-2026-11-28`, without its ending. Browsers and spreadsheets write it as it is.
 * @param days the first and the last, both inclusive, as dates
 */
export const fileName = (
  domain: string,
  what: string,
  { from, to }: { readonly from: string; readonly to: string },
): string =>
  [domain.replaceAll(/[^A-Za-z0-9.-]+/g, '-'), what, from, ...(to > from ? ['to', to] : [])].join('-');
