/** Live: the last 30 minutes by arrival, as a list and as a stream; and the export of stored hits. */

export { createLiveHub, type LiveHub, type LiveHubOptions } from './hub.ts';
export type { ExportItem, LiveItem } from './item.ts';
