import type { ReactNode } from 'react';

/** A column of a report's list. */
export interface Column<Item> {
  readonly key: string;
  readonly label: string;
  /** Figures stand right, in tabular digits. */
  readonly kind: 'name' | 'figure' | 'picture' | 'time';
  /** What the service sorts by; absent: it can't. Figures and times begin with the largest, names with A. */
  readonly sort?: string;
  /** The narrower the list, the sooner it goes: 1 is always there. */
  readonly rank: 1 | 2 | 3 | 4;
  /** Longer than the others: on a phone it has a line of its own. */
  readonly wide?: boolean;
  cell(item: Item): ReactNode;
}
