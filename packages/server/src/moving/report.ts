/** What a move says at its end. */
export interface MovedTable {
  readonly store: 'database' | 'warehouse';
  readonly table: string;
  /** null: a table without days. */
  readonly days: number | null;
  readonly rows: number;
}

/** A table, or a day of one, that is not the same in the target. */
export interface Difference {
  readonly store: 'database' | 'warehouse';
  readonly table: string;
  readonly day: string | null;
  /** In the source, and in the target. Equal: values differ. */
  readonly rows: number;
  readonly found: number;
}

export interface MovedStore {
  readonly tables: readonly MovedTable[];
  readonly differences: readonly Difference[];
}
