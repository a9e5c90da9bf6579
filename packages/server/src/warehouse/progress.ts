/** Settings of the HTTP interface itself, the only ones of this room that are not part of a statement (`statement.test.ts`). */

/** A balancer cuts a connection on which nothing moves, and counting a day may take minutes: headers with the progress keep it moving. */
export const PROGRESS_HEADERS = {
  clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '15000' },
} as const;
