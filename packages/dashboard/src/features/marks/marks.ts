/**
 * Neutral marks for companies, platforms and log sources: two letters and a tint. Logos are trademarks, so none is drawn. One register for
 * vendors of bots, AI engines, ad platforms and sources; a name that is not in it gets its beginning.
 */
export interface Mark {
  readonly letters: string;
  /** A number of marks.css. */
  readonly tint: number;
}

export const TINTS = 8;

/** By name in lower case, as the service or the platform has it. */
const MARKS: Readonly<Record<string, Mark>> = {
  openai: { letters: 'Oa', tint: 1 },
  chatgpt: { letters: 'Cg', tint: 1 },
  anthropic: { letters: 'An', tint: 2 },
  claude: { letters: 'Cl', tint: 2 },
  google: { letters: 'Go', tint: 3 },
  gemini: { letters: 'Ge', tint: 3 },
  google_ads: { letters: 'Ga', tint: 3 },
  ga4: { letters: 'G4', tint: 3 },
  perplexity: { letters: 'Px', tint: 4 },
  microsoft: { letters: 'Ms', tint: 5 },
  copilot: { letters: 'Co', tint: 5 },
  meta: { letters: 'Me', tint: 6 },
  amazon: { letters: 'Az', tint: 7 },
  apple: { letters: 'Ap', tint: 8 },
  bytedance: { letters: 'By', tint: 4 },
  tiktok: { letters: 'Tt', tint: 4 },
  'common crawl': { letters: 'Cc', tint: 7 },
  mistral: { letters: 'Mi', tint: 7 },
  'mistral ai': { letters: 'Mi', tint: 7 },
  xai: { letters: 'Xa', tint: 8 },
  grok: { letters: 'Gr', tint: 8 },
  deepseek: { letters: 'Ds', tint: 6 },
  duckduckgo: { letters: 'Dd', tint: 7 },
  linkedin: { letters: 'Li', tint: 5 },
  pinterest: { letters: 'Pi', tint: 2 },
  snap: { letters: 'Sn', tint: 7 },
  reddit: { letters: 'Re', tint: 2 },
  'edge worker': { letters: 'Ew', tint: 5 },
  'log push': { letters: 'Lp', tint: 1 },
  'log files': { letters: 'Lf', tint: 7 },
  akamai: { letters: 'Ak', tint: 7 },
  nginx: { letters: 'Nx', tint: 1 },
  vector: { letters: 'Vt', tint: 3 },
  'fluent bit': { letters: 'Fb', tint: 7 },
  opentelemetry: { letters: 'Ot', tint: 6 },
  'your own json': { letters: 'Js', tint: 4 },
};

export function markOf(name: string): Mark {
  const known = name.trim().toLowerCase();
  if (Object.hasOwn(MARKS, known)) return MARKS[known] as Mark;
  const letters = [...known].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).slice(0, 2);
  const sum = letters.reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), known.length);
  const [first = '·', second = ''] = letters;
  return { letters: `${first.toUpperCase()}${second}`, tint: (sum % TINTS) + 1 };
}
