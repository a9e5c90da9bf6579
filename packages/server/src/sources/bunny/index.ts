/** bunny.net's lines: `cache|status|time|bytes|zone|address|referrer|url|edge|user agent|request id|country`, bare or behind a syslog header. */
import { z } from '@hono/zod-openapi';
import { observe } from '../fields/observe.ts';
import { present, type VisitRecord } from '../fields/record.ts';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import { type LineForm, type LinesSource, type SourceRequest, Unreadable } from '../source.ts';

const UNREADABLE = new Unreadable('unreadable', 'other_format');
/** Without the user agent, which may have bars of its own. */
const MIN_PARTS = 12;
const BYTE_ORDER_MARK = '\ufeff';

export const bunny: LinesSource = {
  about: {
    name: 'bunny',
    title: 'bunny.net',
    inSentences: 'bunny.net',
    keyHint: 'for logs that bunny.net forwards',
    kind: 'log',
    group: 'edge',
    summary: 'Log forwarding of a pull zone, through your own syslog receiver.',
    latestVersion: null,
    misspelled: /bunny/i,
    setup: {
      slug: 'bunny',
      about: 'bunny.net forwards lines by syslog; Vector or Fluent Bit on your own server posts them here.',
      steps: [
        {
          title: 'Turn IP anonymization off',
          text: [
            'Pull zone → Logging. By default addresses are truncated, so no bot can be verified and all are unknown.',
          ],
          snippets: [],
        },
        {
          title: 'Forward the log by syslog, and post it',
          text: [
            'In bunny.net: log forwarding to your server, TCP, plain format. On the server, with Vector:',
          ],
          snippets: [
            {
              title: 'vector.yaml',
              template: [
                'sources:',
                '  bunny: { type: socket, mode: tcp, address: "0.0.0.0:5514" }',
                'sinks:',
                '  ghostlight:',
                '    type: http',
                '    inputs: [bunny]',
                '    uri: "{{base_url}}/v1/logs/bunny?attribution_id={{attribution_id}}"',
                '    request: { headers: { X-API-Key: "{{key}}" } }',
                '    encoding: { codec: raw_message }',
                '    framing: { method: newline_delimited }',
                '    compression: gzip',
                '    healthcheck: { enabled: true }',
                '    buffer: { type: disk, max_size: 536870912 }',
              ].join('\n'),
            },
          ],
        },
      ],
    },
  },
  auth: ANY_FORM,
  document: {
    summary: 'Lines of bunny.net, bare or behind a syslog header',
    query: COMMON_QUERY,
    contentType: 'text/plain',
    body: z.string(),
    problems: { 422: 'sample_rate is not a share' },
  },
  answer,
  transport: 'lines',
  form: lines,
  addressed,
  isTest: isEmpty,
  alsoTakes: ['GET', 'HEAD', 'PUT'],
};

function lines(request: SourceRequest): LineForm<VisitRecord> {
  const said = saidOfAll(request);
  return {
    parse(bytes, start, end) {
      const text = withoutHeader(bytes.toString('utf8', start, end)).trim();
      return text === '' ? null : recordIn(text);
    },
    traces: () => null,
    agentIn: () => undefined,
    decode: (record, attributionId, now) =>
      observe(record, { source: 'bunny', anonymizes: true, ...said, attributionId, now }),
  };
}

/** Syslog's header ends in a bracket and a byte order mark. */
function withoutHeader(line: string): string {
  const mark = line.lastIndexOf(BYTE_ORDER_MARK);
  if (mark !== -1) return line.slice(mark + 1);
  return line.startsWith('<') ? line.slice(line.indexOf('] ') + 2) : line;
}

function recordIn(line: string): VisitRecord | Unreadable {
  const parts = line.split('|');
  if (parts.length < MIN_PARTS) return UNREADABLE;
  const [, status, time, bytes, , ip, referrer, url] = parts.map(present);
  return {
    ...{ time, status, bytes, ip, referrer, target: url },
    userAgent: parts.slice(9, -2).join('|'),
    requestId: present(parts.at(-2)),
    country: present(parts.at(-1)),
    // The line has none; what is cached is read with GET nearly always.
    method: 'GET',
  };
}
