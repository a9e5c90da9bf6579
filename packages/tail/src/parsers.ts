/** Which parser reads a file: the stated format's, or that of its first lines. */
import {
  createLineParser,
  detectFormat,
  type FormatOptions,
  type LineParser,
  LOG_FORMATS,
  type LogFormatName,
} from '@ghostlight/core';

const SAMPLE_LINES = 200;
/** So many lines without a known format are no accident. */
const ENOUGH_LINES = 20;

export interface ParserSettings {
  /** Null: by the first lines. */
  readonly format: LogFormatName | null;
  readonly options: FormatOptions;
}

export interface Chosen {
  readonly parser: LineParser;
  /** For the person. */
  readonly told: string;
}

/**
 * @param head how the file begins @param columns of W3C logs, as an earlier run left them
 * @returns null while there are too few lines to tell; `unknown` where no format fits them
 */
export function chooseParser(
  { format, options }: ParserSettings,
  head: Buffer,
  columns: readonly string[] | null,
): Chosen | 'unknown' | null {
  const lines = head.toString().split('\n').slice(0, -1);
  const withColumns = columns === null ? options : { ...options, fields: columns };
  const sample = lines.slice(0, SAMPLE_LINES).map((line) => line.replace(/\r$/, ''));
  const found = format === null ? detectFormat(sample, withColumns) : null;
  const name = format ?? found?.format;
  if (name === undefined) return lines.length >= ENOUGH_LINES ? 'unknown' : null;
  const parser = createLineParser(name, withColumns);
  // Columns are named at the beginning of the file.
  if (columns === null) for (const line of sample) if (line.startsWith('#')) parser.parseLine(line);
  const sure = found === null || found.sure ? '' : `, from ${found.records} of ${found.lines} lines`;
  return { parser, told: `${LOG_FORMATS[name].title}${sure}` };
}
