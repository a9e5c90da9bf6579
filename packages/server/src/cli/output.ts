/** Plain tables: columns by their longest cell. At a terminal they fit its width; a pipe gets every cell whole. */

export type Row = Readonly<Record<string, string | number | boolean | null>>;

const GAP = '  ';
/** No column is cut below this, so on a very narrow terminal lines wrap; columns. */
const MIN_WIDTH = 8;

/**
 * @param columns member name → heading, in order. A column whose heading ends in ID is never cut: people copy it.
 * @param room how wide a line may be; columns of the terminal
 */
export function table(
  rows: readonly Row[],
  columns: Readonly<Record<string, string>>,
  room = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
): string {
  const names = Object.keys(columns);
  const headings = names.map((name) => columns[name] ?? name);
  const lines = [headings, ...rows.map((row) => names.map((name) => cell(row[name] ?? null)))];
  const longest = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const widths = fitted(longest, headings, room - GAP.length * (names.length - 1));
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** The widest columns give way first. */
function fitted(longest: readonly number[], headings: readonly string[], room: number): number[] {
  const widths = [...longest];
  const least = headings.map((heading, column) =>
    /\bID$/.test(heading) ? (longest[column] ?? 0) : Math.max(MIN_WIDTH, heading.length),
  );
  for (let over = widths.reduce((sum, width) => sum + width, -room); over > 0; over -= 1) {
    const spare = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function padded(text: string, width: number): string {
  const missing = width - widthOf(text);
  if (missing >= 0) return text + ' '.repeat(missing);
  let kept = '';
  for (const character of characters(text)) {
    if (widthOf(kept + character) >= width) break;
    kept += character;
  }
  return `${kept}…${' '.repeat(Math.max(0, width - 1 - widthOf(kept)))}`;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that terminals draw two columns wide: East Asian scripts and most emoji. */
const WIDE =
  /[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}]/u;

const characters = (text: string): string[] => Array.from(SEGMENTER.segment(text), ({ segment }) => segment);

const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text)
    ? text.length
    : characters(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Control characters, and those that are invisible or turn the direction of text. */
const UNSAFE = /[\p{Cc}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}\u{2066}-\u{2069}\u{feff}]/gu;

function cell(value: string | number | boolean | null): string {
  if (value === null || value === '') return '–';
  return plainText(String(value));
}

/** Stored text must not drive the reader's terminal, nor look like other text. */
export const plainText = (text: string): string => text.replaceAll(UNSAFE, '�');
