/** Netlify's log drains to a general HTTP endpoint. The names of their fields are not documented whole: they are read tolerantly. */
import { z } from '@hono/zod-openapi';
import type { Names, VisitRecord } from '../fields/record.ts';
import type { JsonLine } from '../json-lines/form.ts';
import type { Rejection } from '../reasons.ts';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { LinesSource, Passed } from '../source.ts';

const NAMES: Names = {
  time: ['timestamp', 'time', 'date'],
  host: ['host', 'hostname', 'domain'],
  target: ['url', 'path', 'request_path'],
  query: ['query', 'query_string'],
  method: ['method', 'request_method'],
  status: ['status_code', 'status'],
  bytes: ['response_size', 'bytes', 'bytes_sent'],
  ip: ['client_ip', 'ip'],
  userAgent: ['user_agent', 'ua'],
  referrer: ['referrer', 'referer'],
  country: ['country', 'country_code', 'geo.country.code'],
  requestId: ['request_id', 'req_id'],
  wafAction: ['waf_action', 'action'],
};

export const netlify: LinesSource = {
  about: {
    name: 'netlify',
    title: 'Netlify',
    inSentences: 'Netlify',
    keyHint: 'for a log drain of Netlify',
    addressField: 'client_ip',
    kind: 'log',
    group: 'edge',
    summary: 'A log drain of site traffic. Enterprise plans.',
    latestVersion: null,
    misspelled: /netlify/i,
    setup: {
      slug: 'netlify',
      about: 'A drain posts your site’s traffic.',
      steps: [
        {
          title: 'Enable a log drain',
          text: [
            'Logs → Log Drains → General HTTP endpoint. Log type: traffic; format NDJSON. Leave “Exclude personally identifiable information” off: without user agents no bot is recognised.',
            'Netlify accepts a URL but no headers, so the key is part of the URL.',
          ],
          snippets: [
            {
              title: 'Full URL',
              template: '{{base_url}}/v1/logs/netlify?attribution_id={{attribution_id}}&key={{key|url}}',
            },
          ],
        },
      ],
    },
  },
  auth: [...ANY_FORM, { place: 'query', name: 'api_key' }],
  document: {
    summary: 'Entries of a Netlify log drain: an array, or one JSON object a line',
    query: COMMON_QUERY,
    contentType: 'application/x-ndjson',
    body: z.object({}).loose(),
    problems: { 422: 'sample_rate is not a share' },
  },
  answer,
  transport: 'lines',
  form: (request) =>
    jsonRecords({
      source: 'netlify',
      names: NAMES,
      also: ['log_type', 'type'],
      ...saidOfAll(request),
      refine: trafficAlone,
    }),
  addressed,
  isTest: isEmpty,
  alsoTakes: ['GET', 'HEAD'],
};

/** Functions, deploys and the firewall write to the same drain. Traffic without both personal fields was cut by “Exclude PII”. */
function trafficAlone(record: VisitRecord, line: JsonLine): VisitRecord | Passed | Rejection {
  const type = line['log_type'] ?? line['type'];
  const isOther = typeof type === 'string' && type !== '' && !/traffic|^waf$|request/i.test(type);
  if (isOther || record.target === undefined) return { drop: 'not_a_visit' };
  if (record.userAgent === undefined && record.ip === undefined && !('user_agent' in line))
    return { reason: 'missing', field: 'user_agent' };
  return record;
}
