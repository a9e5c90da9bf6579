/** The deliveries of a period as a file: every page of the list, one after the other. It has what the list shows, never a request or an answer. */
import { type FileFormat, fileLines } from '../common/index.ts';
import { everyPage } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { Deliveries, DeliveryFilter } from './deliveries.ts';
import { deliveryView } from './views.ts';

/** Each row brings its request and its answer along from the database. */
const PAGE = 200;

type View = ReturnType<typeof deliveryView>;
/** In the order of CSV. New ones come last: readers know a column by its position. */
const COLUMNS: readonly (readonly [name: string, cell: (view: View) => unknown])[] = [
  ...of('created_at', 'conversion_id', 'topic', 'event_name', 'platform', 'platform_event'),
  ['destination', ({ destination }) => destination.name],
  ['destination_id', ({ destination }) => destination.id],
  ...of('status', 'reason', 'message', 'attempts', 'value', 'currency'),
  ...of('sent_at', 'settled_at', 'next_at', 'conversion', 'id'),
];

function of(...names: (keyof View)[]) {
  return names.map((name) => [name, (view: View) => view[name]] as const);
}

/** @param signal aborted when nothing more is wanted */
export function deliveryFile(
  deliveries: Pick<Deliveries, 'list'>,
  owner: Owner,
  filter: DeliveryFilter,
  format: FileFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const page = (after: string | undefined) => deliveries.list(owner, filter, { limit: PAGE, after });
  return fileLines(
    everyPage(page, deliveryView, signal),
    {
      columns: COLUMNS.map(([name]) => name),
      cells: (view) => COLUMNS.map(([, cell]) => cell(view)),
      item: (view) => view,
    },
    format,
  );
}
