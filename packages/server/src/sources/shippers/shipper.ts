/** A source for programs that read logs on a server and send them on: records with fields, or with nothing but the line that they read. */
import { z } from '@hono/zod-openapi';
import { CUSTOM_NAMES } from '../custom/names.ts';
import type { LinesSource, SourceAbout } from '../source.ts';
import { saidOfServer } from '../text-lines/form.ts';
import { answer, isEmpty } from './answers.ts';
import { ANY_FORM } from './auth.ts';
import { formatQuery, LINE_MEMBERS, rawLineOr } from './raw-line.ts';
import { jsonRecords } from './records.ts';
import { addressed, COMMON_QUERY, countsLines, WHOLE_QUERY } from './request.ts';

export function shipper(about: SourceAbout): LinesSource {
  return {
    about,
    auth: ANY_FORM,
    document: {
      summary: `Records of ${about.title}: one JSON object a line, or an array`,
      query: { ...COMMON_QUERY, ...WHOLE_QUERY, ...formatQuery },
      contentType: 'application/x-ndjson',
      body: z.object({}).loose(),
      problems: { 422: 'A parameter of the address can’t be read' },
    },
    answer,
    transport: 'lines',
    form(request) {
      const said = saidOfServer(request);
      return jsonRecords({
        source: about.name,
        ...said,
        names: CUSTOM_NAMES,
        also: ['request', ...LINE_MEMBERS],
        refine: rawLineOr(request, said.addressOf),
      });
    },
    counts: countsLines,
    addressed,
    isTest: isEmpty,
    alsoTakes: ['GET', 'HEAD', 'PUT'],
  };
}
