import { expect, it } from 'vitest';
import { decodeLine } from '../edge_logpush/decode.ts';
import { decodeElement } from '../edge_worker/decode.ts';
import { isRejection } from '../source.ts';
import { hostOf } from './coerce.ts';

const NOW = Date.UTC(2026, 10, 22);

it.each([
  ['Shop.Example', 'shop.example'],
  ['shop.example.', 'shop.example'],
  ['shop.example:443', 'shop.example'],
  ['shop.example:80', 'shop.example'],
  ['shop.example:8443', 'shop.example:8443'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example:443', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['a。b.example', 'a.b.example'],
  ['[2001:db8::1]:443', '[2001:db8::1]'],
  ['[2001:db8::1]', '[2001:db8::1]'],
  ['under_score.example', 'under_score.example'],
  ['not a host', 'not a host'],
])('folds the host %s to %s', (text, expected) => expect(hostOf(text, 255)).toBe(expected));

it('leaves NUL out of every text that is stored', () => {
  const log = {
    ...{ timestamp: NOW, host: 'sh\0op.example\0', pathname: '/a\0b?c\0=d%00e', user_agent: 'GPT\0Bot' },
    ...{ method: 'GE\0T', referer: 'https://x.example/\0', worker_version: '1\0', ray_id: 'ab\0c' },
    ...{ query_params: { 'q\0': 'v\0' }, ip: '192.0.2.1', signature_agent: 'https://a.example/\0' },
  };
  const line = {
    ...{ EdgeStartTimestamp: NOW, ClientRequestHost: 'a\0b', ClientRequestURI: '/\0x?y=%00' },
    ...{ ClientRequestUserAgent: 'x\0', VerifiedBotCategory: 'AI_\0CRAWLER', RayID: '1\0' },
  };
  for (const decoded of [decodeElement(log, NOW), decodeLine(line, null, NOW)]) {
    if (isRejection(decoded)) throw new Error(decoded.reason);
    const { query, ...texts } = decoded.hit;
    expect(JSON.stringify([texts, [...query]])).not.toContain('\\u0000');
  }
});
