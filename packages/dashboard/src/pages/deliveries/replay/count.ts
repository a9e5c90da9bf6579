import { type BulkReplay, deliveriesApi } from '../../../features/deliveries/api.ts';

/** As many as the service lists at once. */
const PAGE_SIZE = 200;
/** Beyond that nobody wants it exactly, and the service would be asked for too much. */
const MAX_PAGES = 5;

export interface DeadCount {
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** How many a replay in bulk would reach. */
export async function countDead(
  propertyId: string,
  order: BulkReplay,
  signal?: AbortSignal,
): Promise<DeadCount> {
  let count = 0;
  let next: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await deliveriesApi.page(
      propertyId,
      { ...order, limit: String(PAGE_SIZE), ...(next === null ? {} : { after: next }) },
      signal,
    );
    count += answer.items.length;
    next = answer.next;
    if (next === null) return { count, more: false };
  }
  return { count, more: true };
}
