/**
 * The one place where settings go beside a statement, and only to a server: its HTTP interface reads these before it reads the statement.
 * The embedded backend refuses any (chDB would keep them for the connection's later statements), and needs none: no balancer stands before it.
 */

/** A balancer cuts a connection on which nothing moves, and counting a day may take minutes: headers with the progress keep it moving. */
export const PROGRESS_HEADERS = {
  clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '15000' },
} as const;
