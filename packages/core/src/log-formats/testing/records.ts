/** Arbitrary requests, as odd as clients send them. */
import fc from 'fast-check';
import type { LogRecord } from '../record.ts';

const SECOND = 1000;
const ATOMS = [
  '"',
  '\\',
  '\\x22',
  '%20',
  '%',
  '#',
  '#22',
  '{',
  '|',
  '}',
  '\t',
  '\n',
  'é',
  '日',
  '💥',
  '[',
  ']',
  "'",
  '+',
];

/** Any text, often with what formats escape; never `-` alone, which logs have for nothing, nor blanks at its ends, which HTTP strips. */
const header = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...ATOMS)), {
    maxLength: 6,
  })
  .map((parts) => parts.join('').toWellFormed().trim())
  .filter((text) => text !== '-');

const path = fc
  .array(fc.stringMatching(/^[!-"$->@-~]{0,10}$/), { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join('/')}`);
const query = fc.stringMatching(/^[!-"$-,.-~][!-"$-~]{0,20}$/);

export const requestRecords: fc.Arbitrary<LogRecord> = fc.record({
  timestamp: fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2037, 11) }),
  host: fc.domain(),
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'PROPFIND', 'M-SEARCH'),
  pathname: fc
    .tuple(path, fc.option(query))
    .map(([stem, tail]) => (tail === null ? stem : `${stem}?${tail}`)),
  user_agent: header,
  referer: header,
  status: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 599 })),
  bytes: fc.nat(),
  ip: fc.oneof(fc.ipV4(), fc.ipV6()),
  forwarded_for: fc.oneof(
    fc.constant(''),
    fc.ipV4(),
    fc.tuple(fc.ipV6(), fc.ipV4()).map((all) => all.join(', ')),
  ),
  request_id: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{32}$/)),
  country: fc.constant(''),
  asn: fc.constant(0),
  scheme: fc.constantFrom('http' as const, 'https' as const),
  accept: header,
  signature: header,
  signature_input: header,
  signature_agent: header,
});

/** As formats without fractions of a second know it. */
export const toSecond = (record: LogRecord): LogRecord => ({
  ...record,
  timestamp: Math.floor(record.timestamp / SECOND) * SECOND,
});
