/** Fastly's real-time logs to an HTTPS endpoint; Adobe Experience Manager forwards its CDN's logs in the same way. */
import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Names } from '../fields/record.ts';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { LinesSource } from '../source.ts';

/** Ours first, then what AEM's CDN calls them. */
const NAMES: Names = {
  time: ['timestamp', 'time', 'ts'],
  host: ['host', 'req_host'],
  target: ['url', 'path', 'req_url'],
  method: ['method', 'request_method', 'req_mthd'],
  status: ['status', 'response_status', 'res_status'],
  bytes: ['bytes', 'response_body_size', 'res_size'],
  ip: ['client_ip', 'cli_ip', 'ip'],
  userAgent: ['user_agent', 'request_user_agent', 'req_ua'],
  referrer: ['referer', 'request_referer', 'req_referer'],
  country: ['country', 'geo_country', 'cli_country'],
  asn: ['asn'],
  requestId: ['request_id', 'rid'],
  wafAction: ['waf_action', 'waf'],
  loggedShare: ['sample_rate'],
  scheme: ['scheme'],
  signature: ['signature'],
  signatureInput: ['signature_input'],
  signatureAgent: ['signature_agent'],
};

const serviceIds = z
  .array(z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'Enter Fastly service IDs: letters and digits.'))
  .max(20, 'Enter at most 20 service IDs.');

/** What Fastly writes of a request: `json.escape` keeps a client's quotes from breaking the line. */
export const LOG_FORMAT = [
  '{"timestamp":"%{time.start.msec}V","request_id":"%{req.xid}V","client_ip":"%{req.http.Fastly-Client-IP}V"',
  '"host":"%{if(req.http.Fastly-Orig-Host, req.http.Fastly-Orig-Host, req.http.Host)}V"',
  '"url":"%{json.escape(req.url)}V","method":"%{json.escape(req.method)}V","status":%{resp.status}V',
  '"bytes":%{resp.body_bytes_written}V,"referer":"%{json.escape(req.http.referer)}V"',
  '"user_agent":"%{json.escape(req.http.User-Agent)}V","country":"%{client.geo.country_code}V","asn":"%{client.as.number}V"',
  '"scheme":"%{if(req.is_ssl, "https", "http")}V","signature_agent":"%{json.escape(req.http.Signature-Agent)}V"',
  '"signature_input":"%{json.escape(req.http.Signature-Input)}V","signature":"%{json.escape(req.http.Signature)}V"}',
].join(',');

export const fastly: LinesSource = {
  about: {
    name: 'fastly',
    title: 'Fastly',
    inSentences: 'Fastly',
    keyHint: 'for a logging endpoint of Fastly',
    addressField: 'client_ip',
    kind: 'log',
    group: 'edge',
    summary: 'Real-time logs of a Fastly service, or of Adobe Experience Manager.',
    latestVersion: null,
    misspelled: /fastly|\baem\b/i,
    setup: {
      slug: 'fastly',
      about: 'Your Fastly service posts its log. The steps for Adobe Experience Manager are at the end.',
      steps: [
        {
          title: 'Tell the key which services may send',
          text: [
            'Fastly asks this service whether it accepts logs for your service ID. Enter the ID in the settings of the key: Fastly shows it beside the name of the service.',
          ],
          snippets: [],
        },
        {
          title: 'Create an HTTPS logging endpoint',
          text: [
            'Logging → HTTPS. Method POST, content type application/x-ndjson, JSON log entry format “Newline delimited”, log line format “Blank”. Custom header: X-API-Key with the key as its value.',
            'Compression gzip or zstd is fine.',
          ],
          snippets: [
            { title: 'URL', template: '{{base_url}}/v1/logs/fastly?attribution_id={{attribution_id}}' },
            { title: 'Header value of X-API-Key', template: '{{key}}' },
            { title: 'Log format', template: LOG_FORMAT },
          ],
        },
        {
          title: 'Or: Adobe Experience Manager',
          text: [
            'In logForwarding.yaml. AEM’s log has no referrer, so AI referrals are recognised only by their campaign tags.',
          ],
          snippets: [
            {
              title: 'logForwarding.yaml',
              template: [
                'kind: "LogForwarding"',
                'version: "1"',
                'data:',
                '  https:',
                '    default:',
                '      enabled: true',
                '      url: "{{base_url}}/v1/logs/fastly?attribution_id={{attribution_id}}"',
                '      authHeaderName: "X-API-Key"',
                '      authHeaderValue: "{{key}}"',
              ].join('\n'),
            },
          ],
        },
      ],
    },
  },
  auth: ANY_FORM,
  settings: [
    {
      name: 'service_ids',
      title: 'Service IDs',
      about:
        'IDs of the Fastly services whose logs this key accepts. Fastly asks for them before it sends anything.',
      kind: 'list',
      schema: serviceIds,
    },
  ],
  document: {
    summary: 'Lines of Fastly: one JSON object a line, or an array',
    query: COMMON_QUERY,
    contentType: 'application/x-ndjson',
    body: z.object({}).loose(),
    problems: { 422: 'sample_rate is not a share' },
  },
  answer,
  transport: 'lines',
  form: (request) => jsonRecords({ source: 'fastly', names: NAMES, ...saidOfAll(request) }),
  addressed,
  isTest: isEmpty,
  alsoTakes: ['PUT'],
  wellKnown: {
    path: '/.well-known/fastly/logging/challenge',
    setting: 'service_ids',
    about: 'Which Fastly services may send logs here: the SHA-256 of each ID on a line of its own',
    body(values) {
      const ids = values.flatMap((value) => serviceIds.safeParse(value).data ?? []);
      const lines = new Set(ids.map((id) => createHash('sha256').update(id).digest('hex')));
      return [...lines]
        .toSorted()
        .map((line) => `${line}\n`)
        .join('');
    },
  },
};
