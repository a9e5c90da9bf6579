/** The form of lines that are JSON objects, one a visit, by a table of their sender's names. */
import { type Observing, observe } from '../fields/observe.ts';
import { type Names, recordOf, type VisitRecord } from '../fields/record.ts';
import { type JsonLine, jsonLines } from '../json-lines/form.ts';
import type { Decoded, LineForm } from '../source.ts';

export interface RecordsOptions extends Omit<Observing, 'attributionId' | 'now'> {
  readonly names: Names;
  /** Top-level members that `refine` reads beside those of the table. */
  readonly also?: readonly string[];
  /** Makes of a line what the table reads. */
  unwrap?(line: JsonLine): JsonLine;
  /** What the table can't say. @returns a decoded line for one that is no visit */
  refine?(record: VisitRecord, line: JsonLine, now: number): VisitRecord | Exclude<Decoded, { hit: unknown }>;
}

export function jsonRecords(options: RecordsOptions): LineForm<JsonLine> {
  const { names, also = [], unwrap, refine } = options;
  const nameOf = (member: keyof VisitRecord): string => names[member]?.[0] ?? member;
  return jsonLines({
    fields: [...topNames(names), ...also],
    nested: true,
    traces: () => null,
    agentIn: () => undefined,
    decode(received, attributionId, now) {
      const line = unwrap === undefined ? received : unwrap(received);
      const record = recordOf(line, names);
      const refined = refine === undefined ? record : refine(record, line, now);
      if ('reason' in refined || 'drop' in refined) return refined;
      return observe(refined, { nameOf, ...options, attributionId, now });
    },
  });
}

/** Both forms of a name with a dot: unchanged, and the object that it may lead into. */
function topNames(names: Names): string[] {
  const all = Object.values(names).flat();
  return [...new Set(all.flatMap((name) => [name, name.split('.', 1)[0] ?? name]))];
}
