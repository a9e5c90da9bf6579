/** Plain tables: columns by their longest cell. At a terminal they fit its width; a pipe gets every cell whole. */

export type Row = Readonly<Record<string, string | number | boolean | null>>;

const GAP = '  ';
/** No column is cut below this: what is left would say nothing; columns. */
const MIN_WIDTH = 8;
const NOTHING = '–';
/** As the API writes it. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
/** As a terminal shows it: to the minute, in UTC. */
const SHORT_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\dZ$/;

interface Column {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly longest: number;
  /** Identifiers and times are never cut: people copy the ones, and the others would be wrong. */
  readonly least: number;
}

/**
 * @param columns member name → heading, in order. A column whose heading ends in ID is never cut.
 * @param room how wide a line may be; columns of the terminal. Where the cut columns do not fit either, each row is a block of lines
 */
export function table(
  rows: readonly Row[],
  columns: Readonly<Record<string, string>>,
  room = roomOf(process.stdout),
): string {
  const isTerminal = room !== Number.POSITIVE_INFINITY;
  const all = Object.entries(columns).map(([name, heading]) =>
    columnOf(
      heading,
      rows.map((row) => cell(row[name] ?? null, isTerminal)),
    ),
  );
  const isTooWide = rows.length > 0 && overBy(all, room) > 0;
  const shown = isTooWide ? all.filter(({ cells }) => cells.some(isThere)) : all;
  const widths = fitted(shown, room);
  return widths === null ? blocks(shown, rows.length, room) : lines(shown, widths);
}

const isThere = (text: string): boolean => text !== NOTHING;

function columnOf(heading: string, cells: readonly string[]): Column {
  const longest = Math.max(...[heading, ...cells].map(widthOf));
  const isWhole = /\bID$/.test(heading) || cells.every((text) => !isThere(text) || SHORT_MOMENT.test(text));
  return { heading, cells, longest, least: isWhole ? longest : Math.max(MIN_WIDTH, widthOf(heading)) };
}

const overBy = (columns: readonly Column[], room: number): number =>
  columns.reduce((sum, { longest }) => sum + longest, GAP.length * (columns.length - 1)) - room;

/** The widest columns give way first. null: they don't fit, however narrow. */
function fitted(columns: readonly Column[], room: number): number[] | null {
  const widths = columns.map(({ longest }) => longest);
  for (let over = overBy(columns, room); over > 0; over -= 1) {
    const spare = widths.map((width, at) => (width > (columns[at]?.least ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return columns[0]?.cells.length === 0 ? widths : null;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function lines(columns: readonly Column[], widths: readonly number[]): string {
  const drawn = columns.map(({ heading, cells }, at) =>
    [heading, ...cells].map((text) => padded(text, widths[at] ?? 0)),
  );
  return (drawn[0] ?? [])
    .map((_, row) =>
      drawn
        .map((column) => column[row])
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** Each row by itself, a line for each of its cells that has something. */
function blocks(columns: readonly Column[], rows: number, room: number): string {
  const names = Math.max(...columns.map(({ heading }) => widthOf(heading)));
  const rest = Math.max(MIN_WIDTH, room - names - GAP.length);
  return Array.from({ length: rows }, (_, row) =>
    columns
      .flatMap(({ heading, cells, longest, least }) => {
        const text = cells[row] ?? NOTHING;
        if (!isThere(text)) return [];
        const isWhole = least === longest;
        return [`${padded(heading, names)}${GAP}${isWhole ? text : cut(text, rest)}`];
      })
      .join('\n'),
  ).join('\n\n');
}

/** How wide a line may be; columns. */
export const roomOf = ({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number =>
  isTTY === true && columns !== undefined ? columns : Number.POSITIVE_INFINITY;

function padded(text: string, width: number): string {
  const missing = width - widthOf(text);
  if (missing >= 0) return text + ' '.repeat(missing);
  const kept = cut(text, width);
  return kept + ' '.repeat(width - widthOf(kept));
}

/** Of at most so many columns, with an ellipsis where something was cut off. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of characters(text)) {
    if (widthOf(kept + character) >= width) break;
    kept += character;
  }
  return `${kept}…`;
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

function cell(value: string | number | boolean | null, isTerminal: boolean): string {
  if (value === null || value === '') return NOTHING;
  const text = plainText(String(value));
  return isTerminal ? text.replace(MOMENT, '$1 $2Z') : text;
}

/** Stored text must not drive the reader's terminal, nor look like other text. */
export const plainText = (text: string): string => text.replaceAll(UNSAFE, '�');
