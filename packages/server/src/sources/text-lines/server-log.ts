/** A source whose lines a web server or load balancer wrote, and something else sends: a shipper, `ghostlight tail`, curl. */
import { createLineParser, type LogFormatName } from '@ghostlight/core/log-formats';
import { z } from '@hono/zod-openapi';
import { ServiceError } from '../../common/index.ts';
import { answer, isEmpty } from '../shippers/answers.ts';
import { ANY_FORM } from '../shippers/auth.ts';
import { addressed, COMMON_QUERY, countsLines, WHOLE_QUERY } from '../shippers/request.ts';
import type { LinesSource, SetupStep, SourceRequest } from '../source.ts';
import { saidOfServer, textLines } from './form.ts';

export interface ServerLog {
  /** Also the name of its format. */
  readonly name: LogFormatName & string;
  readonly title: string;
  readonly summary: string;
  readonly misspelled: RegExp;
  /** As in `SourceAbout`. */
  readonly addressField?: string;
  /** The file that the steps have the server write. */
  readonly file?: string;
  /** How the server is set up, before its lines are sent. */
  readonly steps: readonly SetupStep[];
}

export function serverLog(log: ServerLog): LinesSource {
  const { name, title, summary, misspelled, file = '/path/to/access.log', steps, addressField } = log;
  return {
    about: {
      ...(addressField === undefined ? {} : { addressField }),
      ...{ name, title, summary, misspelled, inSentences: title, keyHint: `for logs of ${title}` },
      ...{ kind: 'log', group: 'server', latestVersion: null },
      setup: { slug: name, about: summary, steps: [...steps, sending(name, file)] },
    },
    auth: ANY_FORM,
    document: {
      summary: `Lines of ${title}`,
      query: {
        ...COMMON_QUERY,
        ...WHOLE_QUERY,
        trusted_proxies: z.string().optional().openapi({
          description: 'Proxies in front of the server: how many, or their prefixes',
          example: '10.0.0.0/8',
        }),
        time_zone: z.string().optional().openapi({ description: 'Of times that name none; default UTC' }),
        fields: z
          .string()
          .optional()
          .openapi({ description: 'haproxy: captured headers in their order; iis: names of the columns' }),
      },
      contentType: 'text/plain',
      body: z.string(),
      problems: { 422: 'A parameter of the address can’t be read' },
    },
    answer,
    transport: 'lines',
    form: (request) => textLines(parserFor(name, request), { source: name, ...saidOfServer(request) }),
    counts: countsLines,
    addressed,
    isTest: isEmpty,
    alsoTakes: ['GET', 'HEAD', 'PUT'],
  };
}

const MAX_FIELDS = 200;

/** @throws ServiceError `invalid` for a time zone that is none */
export function parserFor(format: LogFormatName, { parameters }: SourceRequest) {
  const named = parameters
    .get('fields')
    ?.split(',', MAX_FIELDS)
    .map((field) => field.trim());
  const timeZone = parameters.get('time_zone');
  try {
    return createLineParser(format, {
      ...(named === undefined ? {} : { fields: named, captures: named.map((name) => name.toLowerCase()) }),
      ...(timeZone === null ? {} : { timeZone }),
    });
  } catch (error) {
    if (error instanceof RangeError)
      throw new ServiceError('invalid', 'time_zone is an IANA name, such as Europe/Berlin.');
    throw error;
  }
}

function sending(name: string, file: string): SetupStep {
  return {
    title: 'Send its lines',
    text: [
      'With ghostlight-tail, which follows the file, or with Vector or Fluent Bit: choose one of them on this page. To try it out:',
    ],
    snippets: [
      {
        title: 'The last lines, once',
        template: [
          `tail -n 1000 ${file} | curl --data-binary @- \\`,
          `  "{{base_url}}/v1/logs/${name}?attribution_id={{attribution_id}}&host={{domain|url}}" -H "X-API-Key: "{{key|shell}}`,
        ].join('\n'),
      },
    ],
  };
}
