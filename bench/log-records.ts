/** Requests of a site as its log has them: people and ordinary bots, 3% AI crawlers, seeded. */
import type { LogRecord } from '@ghostlight/core';
import { logpushLines } from './logpush-lines.ts';

const START = Date.UTC(2026, 10, 1);

export function logRecords(count: number, start = START): LogRecord[] {
  return [...logpushLines(count, start)].map((text, index) => {
    const line = JSON.parse(text) as Record<string, string>;
    return {
      timestamp: start + index * 10,
      host: 'shop.example',
      method: 'GET',
      pathname: line['ClientRequestURI'] ?? '/',
      user_agent: line['ClientRequestUserAgent'] ?? '',
      referer: line['ClientRequestReferer'] ?? '',
      status: 200,
      bytes: Number(line['EdgeResponseBytes']),
      ip: line['ClientIP'] ?? '',
      forwarded_for: '',
      request_id: '',
      country: '',
      asn: 0,
      scheme: 'https',
      accept: '',
      signature: '',
      signature_input: '',
      signature_agent: '',
    };
  });
}
