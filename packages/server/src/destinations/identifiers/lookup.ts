/** Tables of names that people type. */

const MAX_NAME = 100;

/** The key of a name: `Côte d’Ivoire` → `cotedivoire`. */
export function keyOf(name: string): string {
  const bare = name.slice(0, MAX_NAME).normalize('NFKD').replace(/\p{M}/gu, '');
  return bare.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** @returns null for what the table does not have itself: `constructor` is no country */
export function lookUp(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
