/**
 * The tables as the newest step leaves them. `shapes.golden.json` is recorded from a migrated engine by this file's test
 * (`vitest run <this test> --update` renews it after a new step); `ghostlight doctor --warehouse` compares a server with it, and `ghostlight move` copies by it.
 */
import golden from './shapes.golden.json' with { type: 'json' };

export type ShapedTable = keyof typeof golden;

export interface Shape {
  readonly sortingKey: string;
  readonly partitionKey: string;
  /** Name → type, in order. */
  readonly columns: Readonly<Record<string, string>>;
}

export const SHAPES: Readonly<Record<ShapedTable, Shape>> = golden;
