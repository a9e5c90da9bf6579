/** The table of deletions as a type: what was deleted with everything in it, and the proof. Times in epoch ms. */

/** One for each deleted property or organization. The row stays when the rest is gone: it is the record. */
interface DeletionsTable {
  id: string;
  organization_id: string;
  /** null: the organization itself. */
  attribution_id: string | null;
  /** As it was called, so that its owners know what the record is about. */
  name: string;
  asked_by: string;
  asked_at: number;
  /** `waiting`: nothing is counted yet. `deleting`: `found` says what there was. `done`: nothing is left. */
  state: 'waiting' | 'deleting' | 'done';
  /** JSON: table → rows that were there, those included that arrived late. */
  found: string;
  /** JSON: table → rows that the newest count found left. */
  rest: string;
  /** Of the newest count. */
  counted_at: number | null;
  finished_at: number | null;
  /** Why the newest attempt did not come to its end, as a sentence; null: it did. */
  error: string | null;
}

/** What a property's own retention has deleted of a class: one row, of the newest time that it deleted anything. */
interface RetentionRunsTable {
  attribution_id: string;
  organization_id: string;
  class: string;
  /** For how long the class was kept then. */
  days: number;
  /** What is older was deleted. */
  cut_at: number;
  at: number;
  /** Rows of the newest time, and of all times. */
  deleted: number;
  total: number;
  /** Rows that the count afterwards found left. */
  rest: number;
}

/** An archive with all data of an organization; the file is on the node that made it. */
interface TakeoutsTable {
  id: string;
  organization_id: string;
  asked_by: string;
  asked_at: number;
  /** Which node makes it and has the file. */
  node: string;
  state: 'waiting' | 'making' | 'ready' | 'failed';
  /** The table that is being written. */
  table: string | null;
  rows: number;
  bytes: number;
  finished_at: number | null;
  /** When the file is deleted. */
  expires_at: number | null;
  error: string | null;
  /** SHA-256 (hex) of the newest link's token, and until when it opens the file. */
  link_digest: string | null;
  link_until: number | null;
}

export interface DeletionTables {
  takeouts: TakeoutsTable;
  retention_runs: RetentionRunsTable;
  deletions: DeletionsTable;
}
