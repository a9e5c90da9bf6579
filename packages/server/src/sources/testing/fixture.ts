/** A log source as one would add it, for the test that adds it: lines of text, a key in a header of its sender's, an answer of its sender's. */
import { FIELD_LIMITS, UNSAID } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { hostOf, ipOf } from '../fields/coerce.ts';
import { instantFault, parseInstant } from '../fields/timestamps.ts';
import { type LineForm, type LinesSource, Unreadable } from '../source.ts';

const UNREADABLE = new Unreadable('wrong_type');

/** `time host path address agent`, tabs between. */
const tabbed: LineForm<string[]> = {
  parse(lines, start, end) {
    if (start === end) return null;
    const parts = lines.toString('utf8', start, end).split('\t');
    return parts.length === 5 ? parts : UNREADABLE;
  },
  traces: () => null,
  decode([time = '', host = '', path = '', address = '', agent = ''], attributionId, now) {
    const at = parseInstant(time);
    if (at === null) return { reason: 'not_a_time', field: 'time' };
    const fault = instantFault(at, now);
    if (fault !== null) return { reason: fault, field: 'time' };
    const hit = {
      ...{ ...UNSAID, source: 'fixture', at, attributionId, method: 'GET', path, status: 200 },
      ...{ host: hostOf(host, FIELD_LIMITS.host), ip: ipOf(address), userAgent: agent },
    };
    return { hit, ownRequest: false };
  },
  agentIn: (line) => line.split('\t')[4],
};

export const fixture: LinesSource = {
  about: {
    name: 'fixture',
    title: 'Fixture',
    inSentences: 'the fixture',
    keyHint: 'for a server of yours',
    kind: 'log',
    group: 'server',
    summary: 'Lines of a fixture.',
    latestVersion: null,
    misspelled: /fixtures?/i,
    setup: {
      slug: 'fixture',
      about: 'Your own server sends its log.',
      steps: [
        {
          title: 'Send the log here',
          text: ['Once a minute.'],
          snippets: [{ title: 'Address', template: '{{base_url}}/v1/logs/fixture' }],
        },
      ],
    },
  },
  auth: [{ place: 'header', name: 'X-Fixture-Key' }],
  document: {
    summary: 'Lines of a fixture',
    query: {},
    contentType: 'text/plain',
    body: z.string(),
    problems: {},
  },
  answer: ({ received, rejected }) => ({ status: 200, json: { accepted: received - rejected } }),
  transport: 'lines',
  form: () => tabbed,
  addressed: () => null,
  isTest: (body) => body.toString() === 'ping',
};
