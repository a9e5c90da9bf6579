/** Vercel's drains of logs: entries of builds and functions too, of which those with a `proxy` are visits. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Names } from '../fields/record.ts';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import type { BodyProof, LinesSource, SourceRequest } from '../source.ts';

const SIGNATURE = 'x-vercel-signature';

/** Several entries tell of one request (edge, function): they have one `vercelId`. */
const NAMES: Names = {
  time: ['proxy.timestamp', 'timestamp'],
  host: ['proxy.host', 'host'],
  target: ['proxy.path', 'path'],
  method: ['proxy.method'],
  status: ['proxy.statusCode', 'statusCode'],
  bytes: ['proxy.responseByteSize'],
  ip: ['proxy.clientIp'],
  userAgent: ['proxy.userAgent'],
  referrer: ['proxy.referer'],
  requestId: ['proxy.vercelId', 'requestId', 'id'],
  wafAction: ['proxy.wafAction'],
};

export const vercel: LinesSource = {
  about: {
    name: 'vercel',
    title: 'Vercel',
    inSentences: 'Vercel',
    keyHint: 'for a log drain of Vercel',
    addressField: 'proxy.clientIp',
    kind: 'log',
    group: 'edge',
    summary: 'A log drain of your projects. Pro and Enterprise plans.',
    latestVersion: null,
    misspelled: /vercel/i,
    setup: {
      slug: 'vercel',
      about: 'A drain posts the requests of your projects, and what Vercel’s firewall did with them.',
      steps: [
        {
          title: 'Add a drain',
          text: [
            'Team settings → Drains → Logs, custom endpoint. Encoding NDJSON or JSON; sources static, edge, function, external, redirect and firewall. Add the header X-API-Key with the key.',
            'With a sampling rate below 100%, add &sample_rate=0.1 (for 10%) to the URL.',
          ],
          snippets: [
            { title: 'URL', template: '{{base_url}}/v1/logs/vercel?attribution_id={{attribution_id}}' },
            { title: 'Header', template: 'X-API-Key: {{key}}' },
          ],
        },
        {
          title: 'If Vercel asks to verify the URL, or signs its posts',
          text: [
            'Enter the value of x-vercel-verify in the settings of the key: each answer to a request with this key then carries it. In that step Vercel may not send your header yet: put the key into the URL (&key=…).',
            'Enter the drain’s signature secret too: then a post that was not signed with it is refused, and one that was needs no key.',
          ],
          snippets: [],
        },
      ],
    },
  },
  auth: ANY_FORM,
  settings: [
    {
      name: 'verify',
      title: 'Value of x-vercel-verify',
      about: 'Vercel shows it while a drain is added.',
      kind: 'text',
      schema: z
        .string()
        .regex(/^[\w-]{1,200}$/, 'Enter the value that Vercel shows: letters, digits, - and _.'),
    },
    {
      name: 'secret',
      title: 'Signature secret of the drain',
      about: 'Each post must then be signed with it (x-vercel-signature). A signed post needs no key.',
      kind: 'secret',
      schema: z.string().min(8, 'Enter the whole secret.').max(512, 'Enter at most 512 characters.'),
    },
  ],
  document: {
    summary: 'Entries of a Vercel log drain: an array, or one JSON object a line',
    query: COMMON_QUERY,
    contentType: 'application/json',
    body: z.array(z.object({}).loose()),
    problems: { 403: 'The signature is missing or wrong', 422: 'sample_rate is not a share' },
  },
  answer,
  transport: 'lines',
  form: (request) =>
    jsonRecords({
      source: 'vercel',
      names: NAMES,
      ...saidOfAll(request),
      refine: (record, line) =>
        typeof line['proxy'] === 'object' && line['proxy'] !== null ? record : { drop: 'not_a_visit' },
    }),
  addressed,
  isTest: isEmpty,
  alsoTakes: ['GET', 'HEAD'],
  headers: ({ verify }): Readonly<Record<string, string>> =>
    typeof verify === 'string' ? { 'x-vercel-verify': verify } : {},
  proof,
  signsWith: { header: SIGNATURE, setting: 'secret' },
};

/** HMAC-SHA1 (hex) of the body as sent, where the key knows the secret. */
function proof(request: SourceRequest): BodyProof | null {
  const secret = request.settings['secret'];
  if (typeof secret !== 'string') return null;
  const hmac = createHmac('sha1', secret);
  return {
    update: (chunk) => void hmac.update(chunk),
    isGood() {
      const made = hmac.digest();
      const given = Buffer.from((request.header(SIGNATURE) ?? '').trim(), 'hex');
      return given.length === made.length && timingSafeEqual(given, made);
    },
  };
}
