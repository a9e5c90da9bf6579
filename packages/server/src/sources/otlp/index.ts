/** OpenTelemetry: logs by OTLP over HTTP, in both encodings, with the semantic conventions' attributes or with a server's raw line as body. */
import { z } from '@hono/zod-openapi';
import type { Names } from '../fields/record.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { formatQuery, rawLineOr } from '../shippers/raw-line.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, countsLines, WHOLE_QUERY } from '../shippers/request.ts';
import type { LinesSource } from '../source.ts';
import { saidOfServer } from '../text-lines/form.ts';
import { answer, isJson, refuse, succeeded } from './answer.ts';
import { JsonRecords, ProtobufRecords, unwrapped } from './records.ts';

/** The conventions of today, then those before them. */
const NAMES: Names = {
  time: ['timeUnixNano', 'observedTimeUnixNano'],
  host: ['server.address', 'url.domain', 'http.request.header.host', 'http.host', 'net.host.name'],
  target: ['url.full', 'url.original', 'http.url', 'url.path', 'http.target'],
  query: ['url.query'],
  method: ['http.request.method', 'http.method'],
  status: ['http.response.status_code', 'http.status_code'],
  bytes: ['http.response.body.size', 'http.response.size', 'http.response_content_length'],
  ip: ['client.address', 'http.client_ip', 'source.address', 'network.peer.address', 'net.sock.peer.addr'],
  userAgent: ['user_agent.original', 'http.request.header.user-agent', 'http.user_agent'],
  referrer: ['http.request.header.referer', 'http.referer'],
  country: ['client.geo.country_iso_code', 'geo.country.iso_code'],
  asn: ['client.as.number'],
  requestId: ['http.request.id', 'http.request.header.x-request-id', 'request_id'],
  attributionId: ['ghostlight.attribution_id'],
  scheme: ['url.scheme', 'http.scheme'],
  signature: ['http.request.header.signature'],
  signatureInput: ['http.request.header.signature-input'],
  signatureAgent: ['http.request.header.signature-agent'],
};

export const otlp: LinesSource = {
  about: {
    name: 'otlp',
    title: 'OpenTelemetry',
    inSentences: 'OpenTelemetry',
    keyHint: 'for logs that an OpenTelemetry Collector sends',
    addressField: 'client.address',
    kind: 'log',
    group: 'shipper',
    summary: 'Logs by OTLP over HTTP, from an OpenTelemetry Collector or an SDK.',
    latestVersion: null,
    path: '/v1/otlp/v1/logs',
    misspelled: /otlp|opentelemetry/i,
    setup: {
      slug: 'otlp',
      about: 'An OpenTelemetry Collector, or your application’s own SDK, sends log records.',
      steps: [
        {
          title: 'Add an exporter',
          text: [
            'A record is a visit when it has the attributes of an HTTP request (url.path or url.full, server.address, user_agent.original, client.address), or when its body is a line of a server’s access log. All others are dropped.',
            'The endpoint is the base: clients add /v1/logs to it. For raw lines of another server than nginx and Apache, set logs_endpoint with ?format=caddy.',
          ],
          snippets: [
            {
              title: 'OpenTelemetry Collector, config.yaml',
              template: [
                'receivers:',
                '  filelog:',
                '    include: [/var/log/nginx/access.log]',
                'exporters:',
                '  otlphttp/ghostlight:',
                '    logs_endpoint: "{{base_url}}/v1/otlp/v1/logs?attribution_id={{attribution_id}}&host={{domain|url}}"',
                '    headers: { X-API-Key: "{{key}}" }',
                '    compression: gzip',
                '    sending_queue: { enabled: true, storage: file_storage }',
                '    retry_on_failure: { max_elapsed_time: 0s }',
                'extensions:',
                '  file_storage: { directory: /var/lib/otelcol }',
                'service:',
                '  extensions: [file_storage]',
                '  pipelines:',
                '    logs: { receivers: [filelog], exporters: [otlphttp/ghostlight] }',
              ].join('\n'),
            },
          ],
        },
      ],
    },
  },
  auth: ANY_FORM,
  document: {
    summary: 'Log records by OTLP over HTTP (ExportLogsServiceRequest), as protobuf or JSON',
    query: { ...COMMON_QUERY, ...WHOLE_QUERY, ...formatQuery },
    contentType: 'application/x-protobuf',
    body: z.string(),
    problems: { 422: 'A parameter of the address can’t be read' },
  },
  transport: 'lines',
  form(request) {
    const said = saidOfServer(request);
    const form = jsonRecords({
      source: 'otlp',
      ...said,
      names: NAMES,
      also: ['attributes', 'body'],
      unwrap: unwrapped,
      refine: rawLineOr(request, said.addressOf),
    });
    return { ...form, reframe: () => (isJson(request) ? new JsonRecords() : new ProtobufRecords()) };
  },
  counts: countsLines,
  addressed,
  isTest: (body) => body.length === 0,
  tested: succeeded,
  answer,
  refuse,
};
