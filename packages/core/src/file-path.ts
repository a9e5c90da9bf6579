/**
 * What of a site is a file, and so no page: decided by the path alone, because no sender of hits reports a content type. A page is HTML, or of
 * a type that nothing tells. Files are made for programs (robots.txt, sitemaps, feeds, manifests, data), belong to a page (styles, scripts,
 * images, fonts), or are documents and downloads (PDF, Markdown, archives).
 */

/** Last part of a path after its last dot, in any letter case. */
export const FILE_EXTENSIONS = [
  ...[
    'css',
    'js',
    'mjs',
    'cjs',
    'map',
    'wasm',
    'json',
    'jsonld',
    'geojson',
    'ndjson',
    'jsonl',
    'webmanifest',
  ],
  ...['xml', 'xsl', 'xslt', 'xsd', 'rdf', 'rss', 'atom', 'txt', 'md', 'mdx', 'markdown', 'rst'],
  ...['yaml', 'yml', 'toml', 'ini', 'env', 'log', 'sql', 'csv', 'tsv', 'ics', 'vcf', 'kml', 'gpx', 'bib'],
  ...[
    'png',
    'jpg',
    'jpeg',
    'jfif',
    'gif',
    'webp',
    'avif',
    'heic',
    'jxl',
    'svg',
    'ico',
    'bmp',
    'tif',
    'tiff',
    'cur',
  ],
  ...['woff', 'woff2', 'ttf', 'otf', 'eot'],
  ...[
    'mp3',
    'mp4',
    'm4a',
    'm4v',
    'm3u8',
    'mpd',
    'ts',
    'webm',
    'ogg',
    'ogv',
    'oga',
    'opus',
    'wav',
    'aac',
    'flac',
  ],
  ...['mov', 'avi', 'mkv', 'vtt', 'srt'],
  ...[
    'pdf',
    'ps',
    'eps',
    'epub',
    'mobi',
    'doc',
    'docx',
    'odt',
    'rtf',
    'xls',
    'xlsx',
    'ods',
    'ppt',
    'pptx',
    'odp',
  ],
  ...[
    'zip',
    'gz',
    'tgz',
    'br',
    'bz2',
    'xz',
    'zst',
    'rar',
    '7z',
    'tar',
    'iso',
    'dmg',
    'exe',
    'msi',
    'apk',
    'deb',
    'rpm',
    'jar',
  ],
  ...['pem', 'crt', 'asc', 'sig', 'bin'],
] as const;

/** Last segments that are feeds without an extension, with a slash behind them or not, in any letter case. */
export const FEED_NAMES = ['feed', 'rss', 'rss2', 'atom'] as const;

/** Below these lies no page: what programs agree on, what an edge or a framework serves for itself, an API. */
export const FILE_FOLDERS = ['/.well-known/', '/cdn-cgi/', '/wp-json/', '/_next/', '/_nuxt/'] as const;

/**
 * How a file's path ends, as a regular expression of both RE2 and JavaScript. Nothing but ASCII letters is meant by "any letter case", so
 * each is written in both: engines fold letters beyond ASCII differently.
 */
export const fileEnding = (): string =>
  `(?:[.](?:${FILE_EXTENSIONS.map(anyCase).join('|')})|/(?:${FEED_NAMES.map(anyCase).join('|')})/?)$`;

const anyCase = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

let ending: RegExp | undefined;

/** Whether a path, without its query, names a file. The warehouse asks the same in SQL, and a test compares the two. */
export function isFilePath(path: string): boolean {
  ending ??= new RegExp(fileEnding());
  return FILE_FOLDERS.some((folder) => path.startsWith(folder)) || ending.test(path);
}
