/**
 * How long a line of each text format takes to read, beside looking for a word in the compressed file as administrators do, and beside GoAccess
 * where it is installed and knows the format.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLineParser, type FormatOptions, isReject, type LogFormatName } from '@ghostlight/core';
import {
  CLOUDFRONT_HEADER,
  HAPROXY_CAPTURES,
  IIS_HEADER,
  printApacheJson,
  printCaddy,
  printCloudfront,
  printCombined,
  printHaproxy,
  printIis,
  printNginxJson,
} from '../packages/core/src/log-formats/testing/print.ts';
import { type Figure, median, thousands } from './harness.ts';
import { logRecords } from './log-records.ts';

const LINES = 200_000;
const ROUNDS = 5;
/** One core reads what a busy site writes in a second in a tenth of it. */
const LEAST_PER_SECOND = 100_000;

const FORMATS: readonly {
  format: LogFormatName;
  print: (record: ReturnType<typeof logRecords>[number]) => string;
  header?: string;
  options?: FormatOptions;
  /** By what options GoAccess reads it. */
  goaccess?: readonly string[];
}[] = [
  {
    format: 'combined',
    print: (record) => printCombined(record),
    options: { host: 'shop.example' },
    goaccess: ['--log-format=COMBINED'],
  },
  { format: 'nginx_json', print: printNginxJson },
  { format: 'apache_json', print: printApacheJson },
  { format: 'caddy', print: printCaddy, goaccess: ['--log-format=CADDY'] },
  { format: 'haproxy', print: printHaproxy, options: { captures: HAPROXY_CAPTURES } },
  { format: 'iis', print: printIis, header: IIS_HEADER },
  {
    format: 'cloudfront',
    print: printCloudfront,
    header: CLOUDFRONT_HEADER,
    goaccess: ['--log-format=CLOUDFRONT'],
  },
];

export async function logFormats(): Promise<Figure[]> {
  const records = logRecords(LINES);
  const folder = mkdtempSync(join(tmpdir(), 'ghostlight-bench-formats-'));
  try {
    return FORMATS.map(({ format, print, header, options = {}, goaccess }) => {
      const lines = records.map(print);
      const bytes = lines.map((line) => Buffer.from(line));
      const seconds = median(
        Array.from({ length: ROUNDS }, () => {
          const parser = createLineParser(format, options);
          if (header !== undefined) parser.parseLine(header);
          const before = process.cpuUsage();
          let rejected = 0;
          for (const line of bytes) {
            const parsed = parser.parseLine(line.toString());
            if (parsed === null || isReject(parsed)) rejected += 1;
          }
          if (rejected > 0) throw new Error(`${rejected} lines of ${format} were not read`);
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1e6;
        }),
      );
      const file = join(folder, `${format}.gz`);
      writeFileSync(file, execFileSync('gzip', ['-1'], { input: lines.join('\n'), maxBuffer: 1024 ** 3 }));
      const beside = goaccess === undefined ? null : goaccessMicroseconds(lines, goaccess, folder);
      const perLine = (seconds * 1e6) / LINES;
      return {
        what: `reading a line of ${format}`,
        measured: `${thousands(LINES / seconds)} lines/s, ${perLine.toFixed(2)} µs of processor time; zcat | grep: ${grepMicroseconds(file).toFixed(2)} µs${beside === null ? '' : `; GoAccess: ${beside.toFixed(2)} µs`}`,
        target: `≥ ${thousands(LEAST_PER_SECOND)} lines/s`,
        holds: LINES / seconds >= LEAST_PER_SECOND,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of a line: of both programs together. */
const grepMicroseconds = (file: string): number =>
  (secondsOf(`zcat '${file}' | grep -c GPTBot > /dev/null`) * 1e6) / LINES;

/** It makes a whole report of them. @returns null where it is not installed, or reads no such line */
function goaccessMicroseconds(
  lines: readonly string[],
  format: readonly string[],
  folder: string,
): number | null {
  const [file, report] = [join(folder, 'access.log'), join(folder, 'report.json')];
  writeFileSync(file, `${lines.join('\n')}\n`);
  rmSync(report, { force: true });
  if (spawnSync('bash', ['-c', 'command -v goaccess']).status !== 0) return null;
  const seconds = secondsOf(
    `goaccess '${file}' ${format.join(' ')} --no-progress -o '${report}' > /dev/null 2>&1`,
  );
  try {
    const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: { valid_requests: number } };
    return general.valid_requests < LINES / 2 ? null : (seconds * 1e6) / LINES;
  } catch {
    return null;
  }
}

/** Processor time of a command with all its programs, as the shell adds it up. */
function secondsOf(command: string): number {
  const { stderr } = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; time (${command})`]);
  return stderr
    .toString()
    .trim()
    .split(/\s+/)
    .map((text) => Number(text.replace(',', '.')))
    .reduce((sum, part) => sum + part, 0);
}
