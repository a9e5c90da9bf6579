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

export interface DeletionTables {
  deletions: DeletionsTable;
}
