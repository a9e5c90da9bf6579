import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRangeFile } from './range-file.ts';

const vendorFile = (prefixes: unknown[]): string =>
  JSON.stringify({ creationTime: '2026-08-18T00:00:00Z', prefixes });

describe('parseRangeFile', () => {
  it('reads the shape that nearly every vendor publishes', () => {
    const file = vendorFile([
      { ipv4Prefix: '192.0.2.0/28' },
      { ipv6Prefix: '2001:db8::/64' },
      { ipv4Prefix: '192.0.2.0/28' },
    ]);
    expect(parseRangeFile(file)).toEqual({ prefixes: ['192.0.2.0/28', '2001:db8::/64'], skipped: 0 });
    expect(parseRangeFile(`\ufeff${file}`)).toEqual(parseRangeFile(file));
  });

  it('cleans zero-width blanks, as bingbot.json once had, and skips what is no prefix', () => {
    const file = vendorFile([
      { ipv4Prefix: '\u200b192.0.2.0/28 ' },
      { ipv4Prefix: 'soon' },
      { note: 1 },
      null,
      7,
    ]);
    expect(parseRangeFile(file)).toEqual({ prefixes: ['192.0.2.0/28'], skipped: 4 });
  });

  it('reads JSON embedded in a page, plain or with entities', () => {
    const json = JSON.stringify(
      { prefixes: [{ ip_prefix: '192.0.2.7/32' }, { ip_prefix: '198.51.100.0/24' }] },
      null,
      2,
    );
    const expected = { prefixes: ['192.0.2.7/32', '198.51.100.0/24'], skipped: 0 };
    expect(parseRangeFile(`<html><body><pre><code>${json}</code></pre></body></html>`)).toEqual(expected);
    expect(parseRangeFile(`<html><pre>${json.replaceAll('"', '&quot;')}</pre></html>`)).toEqual(expected);
    expect(parseRangeFile(`<script>var x = ${JSON.stringify(json)}</script>`)).toEqual(expected);
  });

  it('refuses what must never replace a set that stands', () => {
    expect(parseRangeFile('')).toEqual({ error: 'unparsable' });
    expect(parseRangeFile('<html>Just a moment…</html>')).toEqual({ error: 'unparsable' });
    expect(parseRangeFile('[]')).toEqual({ error: 'unparsable' });
    expect(parseRangeFile('null')).toEqual({ error: 'unparsable' });
    expect(parseRangeFile(vendorFile([]))).toEqual({ error: 'no_prefixes' });
    expect(parseRangeFile(vendorFile([{ ipv4Prefix: 'x' }]))).toEqual({ error: 'no_prefixes' });
    expect(parseRangeFile(vendorFile([{ ipv4Prefix: '0.0.0.0/0' }]))).toEqual({ error: 'too_wide' });
    expect(parseRangeFile(vendorFile([{ ipv6Prefix: '::/0' }]))).toEqual({ error: 'too_wide' });
    expect(parseRangeFile(vendorFile(new Array(20_001).fill({ ipv4Prefix: '192.0.2.1' })))).toEqual({
      error: 'too_large',
    });
  });

  it('answers for any text, and never with an empty set', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"prefixes":${json}}`),
        ),
        (text) => {
          const file = parseRangeFile(text);
          expect('error' in file || file.prefixes.length > 0).toBe(true);
        },
      ),
    );
  });
});
