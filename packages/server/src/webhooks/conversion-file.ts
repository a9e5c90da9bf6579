/** The conversions of a period as a file: every page of the list, one after the other, without a second copy in memory. */
import { type FileFormat, fileLines } from '../common/index.ts';
import { everyPage } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ConversionFilter, ConversionReading } from './reading.ts';
import { conversionView } from './views.ts';

const PAGE = 500;

type View = ReturnType<typeof conversionView>;
/** In the order of CSV. New ones come last: readers know a column by its position. */
const COLUMNS = [
  ...(['at', 'topic', 'conversion_id', 'value', 'currency', 'session_matched', 'match_reason'] as const),
  ...(['channel', 'platform', 'source', 'medium', 'campaign', 'event_name', 'visitor_id'] as const),
  ...(['refund_of', 'received_at', 'id'] as const),
] as const satisfies readonly (keyof View)[];

/** @param signal aborted when nothing more is wanted */
export function conversionFile(
  conversions: Pick<ConversionReading, 'list'>,
  owner: Owner,
  filter: ConversionFilter,
  format: FileFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const page = (after: string | undefined) => conversions.list(owner, filter, { limit: PAGE, after });
  return fileLines(
    everyPage(page, conversionView, signal),
    { columns: COLUMNS, cells: (view) => COLUMNS.map((name) => view[name]), item: (view) => view },
    format,
  );
}
