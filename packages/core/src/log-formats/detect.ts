/** Which format a file is in, from its first lines. */
import { LOG_FORMATS, type LogFormatName } from './formats.ts';
import { type FormatOptions, isReject, type LineReject } from './record.ts';

/** Both forms of one server's log are told apart by themselves. */
const TRIED = (Object.keys(LOG_FORMATS) as LogFormatName[]).filter(
  (name) => name !== 'nginx' && name !== 'apache',
);
/** Of a hundred lines of a format that many are records; the rest are probes without a request and torn lines. */
const SURE = 0.9;
const LIKELY = 0.5;

export interface Detected {
  readonly format: LogFormatName;
  /** Of the lines that tell of a request, how many are whole records. */
  readonly records: number;
  readonly lines: number;
  /** Nine of ten lines are records, and ten or more were looked at. */
  readonly sure: boolean;
}

/**
 * @param lines from the beginning of a file
 * @returns null where fewer than half of the lines are records in any format
 */
export function detectFormat(lines: readonly string[], options: FormatOptions = {}): Detected | null {
  let best: Detected | null = null;
  for (const format of TRIED) {
    const { records, faults } = tried(format, lines, options);
    const share = records / (records + faults);
    if (records === 0 || share < LIKELY) continue;
    if (best !== null && records <= best.records) continue;
    best = { format, records, lines: records + faults, sure: share >= SURE && records >= 10 };
  }
  return best;
}

function tried(
  format: LogFormatName,
  lines: readonly string[],
  options: FormatOptions,
): { records: number; faults: number } {
  const parser = LOG_FORMATS[format].parser(options);
  const found = { records: 0, faults: 0 };
  const ordinary: LineReject = 'not_a_request';
  for (const line of lines) {
    const parsed = parser.parseLine(line);
    if (parsed === null) continue;
    if (!isReject(parsed)) found.records += 1;
    else if (parsed.reject !== ordinary) found.faults += 1;
  }
  return found;
}
