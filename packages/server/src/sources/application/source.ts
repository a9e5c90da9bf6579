/** A source for a collector inside an application: it sees every request after its answer, checks bots itself, and posts what `ghostlight-tail` posts. */
import type { LinesSource, SourceAbout } from '../source.ts';
import { COMMAND, checkedVisits } from '../tail/visits.ts';

/** @param about names the source; its kind is `collector` where its sender draws samples, else `log` */
export function application(about: SourceAbout): LinesSource {
  return {
    ...COMMAND,
    about,
    document: { ...COMMAND.document, summary: `Visits of ${about.inSentences}: NDJSON, at most 1,040 MiB` },
    form: (request) => checkedVisits(request, about.name),
  };
}
