/**
 * JSON of any program: one object a visit. What Profound's and Scrunch's endpoints for logs of one's own take is taken as it comes, so
 * that a switch is a change of the address and the key.
 */
import { z } from '@hono/zod-openapi';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { jsonRecords } from '../shippers/records.ts';
import { addressed, COMMON_QUERY, saidOfAll } from '../shippers/request.ts';
import { withRequestLine } from '../shippers/request-line.ts';
import type { LinesSource } from '../source.ts';
import { MEMBERS, mappingSchema, namesBy } from './names.ts';

export const custom: LinesSource = {
  about: {
    name: 'custom',
    title: 'Your own JSON',
    inSentences: 'your own program',
    keyHint: 'for logs that your own code sends as JSON',
    addressField: 'ip',
    kind: 'log',
    group: 'application',
    summary: 'Any program that can post JSON. Payloads for Profound and Scrunch are accepted unchanged.',
    latestVersion: null,
    misspelled: /logs\/(?:custom|generic|json)|platforms\/custom/i,
    setup: {
      slug: 'custom',
      about: 'Your program posts JSON: an array of objects, or one object per line.',
      steps: [
        {
          title: 'Post visits here',
          text: [
            'timestamp, host and path are required. Send the visitor’s own ip and user_agent: a bot can’t be verified without its address.',
            'Send request_id where there is one, so that a repeated post counts each visit once.',
            'If your field names differ, set them once for this key, or choose names from the list in the documentation.',
          ],
          snippets: [
            {
              title: 'Example',
              template: [
                'curl -i "{{base_url}}/v1/logs/custom?attribution_id={{attribution_id}}" \\',
                '  -H "X-API-Key: "{{key|shell}} -H "Content-Type: application/json" \\',
                '  -d \'[{"timestamp":\'$(date +%s)\',"host":"{{domain}}","method":"GET","path":"/","status_code":200,"ip":"192.0.2.1","user_agent":"GPTBot/1.2"}]\'',
              ].join('\n'),
            },
          ],
        },
        {
          title: 'Switching from Profound or Scrunch',
          text: [
            'Keep your code. Replace the URL with the one below, and the key with this one: both send it as X-API-Key.',
          ],
          snippets: [
            { title: 'Address', template: '{{base_url}}/v1/logs/custom?attribution_id={{attribution_id}}' },
          ],
        },
      ],
    },
  },
  auth: ANY_FORM,
  settings: [
    {
      name: 'mapping',
      title: 'Names of your fields',
      about: `Our field → your field; use a dot for nested fields. Our fields: ${Object.keys(MEMBERS).join(', ')}. Fields you leave out are found by their usual names.`,
      kind: 'mapping',
      schema: mappingSchema,
    },
  ],
  document: {
    summary:
      'Visits as JSON of your own: an array, one object per line, or a single object; at most 1,040 MiB',
    query: COMMON_QUERY,
    contentType: 'application/json',
    body: z.array(z.object({}).loose()),
    problems: { 422: 'sample_rate is not a share' },
  },
  answer,
  transport: 'lines',
  form: (request) =>
    jsonRecords({
      source: 'custom',
      ...saidOfAll(request),
      names: namesBy(request.settings['mapping']),
      also: ['request'],
      refine: withRequestLine,
    }),
  addressed,
  isTest: isEmpty,
  alsoTakes: ['GET', 'HEAD', 'PUT'],
};
