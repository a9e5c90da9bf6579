/**
 * Finds bot tokens in user agents. The rule (contract, classification): case is ignored, neither neighbour of a token may be a
 * letter, a digit, `_` or `-`, and of all tokens found the longest wins (the first of equals). A token directly before a dot and a letter
 * is part of a host or file name (`+https://www.diffbot.com`) and does not count, unless it holds a dot itself (`bigsur.ai`).
 *
 * A trie in one flat table, walked only from positions whose left neighbour allows a token to begin. A walk crosses another
 * walk's start only where the token itself holds a separator, so a character is read at most (separators in a token + 1)
 * times: linear whatever the input, which matters because anyone can send any user agent.
 */

/** Longest token that a list may carry; see `validate.ts`. */
export const MAX_TOKEN_LENGTH = 64;
/** Most tokens that are compiled, eight times today's: with the length it bounds the table (9 MiB) and keeps its indexes in 16 bits. */
export const MAX_TOKENS = 1_000;

export interface TokenMatcher<T> {
  /** The entry of the longest token in `userAgent`, or null. */
  match(userAgent: string): T | null;
}

const DOT = 46;
/** NaN, after the last character, is none. */
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** ASCII alone is folded: `toLowerCase` would turn the Kelvin sign into `k`, and could change the length. */
const foldCode = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Entries whose pattern is empty, too long or not printable ASCII can't match and are left out; so is what exceeds `MAX_TOKENS`. The first of equal tokens counts. */
export function compileTokens<T extends { readonly pattern: string }>(
  entries: readonly T[],
): TokenMatcher<T> {
  const usable = entries
    .filter(({ pattern }) => /^[\x20-\x7e]+$/.test(pattern) && pattern.length <= MAX_TOKEN_LENGTH)
    .slice(0, MAX_TOKENS);
  const { symbolOf, width } = alphabet(usable);
  const nodeCount = 1 + usable.reduce((sum, { pattern }) => sum + pattern.length, 0);
  const next = new Uint16Array(nodeCount * width);
  /** node → index into `usable` plus one; 0 where no token ends. */
  const ends = new Uint16Array(nodeCount);
  let nodes = 1;
  usable.forEach(({ pattern }, index) => {
    let node = 0;
    for (let i = 0; i < pattern.length; i++) {
      const slot = node * width + symbolAt(symbolOf, pattern, i);
      if (next[slot] === 0) next[slot] = nodes++;
      node = next[slot] ?? 0;
    }
    if (ends[node] === 0) ends[node] = index + 1;
  });

  const word = wordTable();
  const isWord = (code: number): boolean => code < 128 && word[code] === 1;

  /** Whether what was read from `start` may end at `i`. */
  const isEndOfToken = (userAgent: string, i: number, start: number): boolean => {
    if (i === userAgent.length) return true;
    const code = userAgent.charCodeAt(i);
    if (code !== DOT) return !isWord(code);
    // Bounded by the token's length, and asked only where a token was found before a dot.
    return !isLetter(userAgent.charCodeAt(i + 1)) || userAgent.slice(start, i).includes('.');
  };

  const match = (userAgent: string): T | null => {
    const length = userAgent.length;
    let bestLength = 0;
    let best = 0;
    let mayStart = true;
    for (let start = 0; start < length; start++) {
      if (mayStart) {
        let node = 0;
        let i = start;
        while (i < length) {
          const code = userAgent.charCodeAt(i);
          const symbol = code < 128 ? (symbolOf[code] ?? 0) : 0;
          if (symbol === 0) break;
          node = next[node * width + symbol] ?? 0;
          if (node === 0) break;
          i++;
          const end = ends[node] ?? 0;
          if (end !== 0 && i - start > bestLength && isEndOfToken(userAgent, i, start)) {
            best = end;
            bestLength = i - start;
          }
        }
      }
      mayStart = !isWord(userAgent.charCodeAt(start));
    }
    return best === 0 ? null : (usable[best - 1] ?? null);
  };
  return { match };
}

/** Maps the characters that tokens use to 1…n, so that the table is as narrow as it can be; both cases of a letter share one. */
function alphabet(entries: readonly { readonly pattern: string }[]): { symbolOf: Uint8Array; width: number } {
  const symbolOf = new Uint8Array(128);
  let width = 1;
  for (const { pattern } of entries) {
    for (let i = 0; i < pattern.length; i++) {
      const code = foldCode(pattern.charCodeAt(i));
      if (symbolOf[code] !== 0) continue;
      symbolOf[code] = width;
      if (code >= 97 && code <= 122) symbolOf[code - 32] = width;
      width++;
    }
  }
  return { symbolOf, width };
}

/** 1 at every code that continues a word. A table, because every character of every user agent is asked for. */
function wordTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (/[A-Za-z0-9_-]/.test(String.fromCharCode(code))) table[code] = 1;
  }
  return table;
}

const symbolAt = (symbolOf: Uint8Array, text: string, index: number): number =>
  symbolOf[text.charCodeAt(index)] ?? 0;
