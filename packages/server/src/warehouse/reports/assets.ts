/**
 * What is no page. A browser loads dozens of such files with one page and a crawler mostly none, so a share of all requests compares
 * unlike things. Files made for programs (robots.txt, sitemaps, feeds, manifests) are no pages either; documents (PDF, Markdown) are.
 */
export const ASSET_EXTENSIONS = [
  ...['css', 'js', 'mjs', 'cjs', 'map', 'wasm', 'json', 'webmanifest', 'xml', 'rss', 'atom', 'txt'],
  ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp', 'tif', 'tiff', 'cur'],
  ...['woff', 'woff2', 'ttf', 'otf', 'eot'],
  ...['mp3', 'mp4', 'm4a', 'm4v', 'm3u8', 'ts', 'webm', 'ogg', 'ogv', 'wav', 'mov', 'avi', 'flac'],
  ...['zip', 'gz', 'br', 'rar', '7z', 'tar'],
] as const;

/** A condition on a path, as SQL. */
export const isAsset = (path: string): string =>
  `match(${path}, '(?i)[.](?:${ASSET_EXTENSIONS.join('|')})$')`;
