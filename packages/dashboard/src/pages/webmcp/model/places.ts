/** Maps a JSON pointer of the declaration to its place on the page. */

export type ToolPart =
  | 'whole'
  | 'name'
  | 'title'
  | 'description'
  | 'input'
  | 'annotations'
  | 'page'
  | 'endpoint';

export type Place =
  | { readonly at: 'manifest' }
  /** `index` null: the list as a whole. */
  | { readonly at: 'hosts'; readonly index: number | null }
  /** `inner`: the pointer below `inputSchema`. */
  | { readonly at: 'tool'; readonly index: number; readonly part: ToolPart; readonly inner: string };

/** The place of a pointer below an object schema, in rows. */
export interface FieldPlace {
  /** The row; null when it is the object itself. */
  readonly name: string | null;
  /** The pointer below the row's schema. */
  readonly inner: string;
}

const PARTS: readonly ToolPart[] = ['name', 'title', 'description', 'annotations', 'page', 'endpoint'];

export function placeOfPointer(pointer: string): Place {
  const [list, position, member, ...rest] = segments(pointer);
  const index = /^\d+$/.test(position ?? '') ? Number(position) : null;
  if (list === 'hosts') return { at: 'hosts', index };
  if (list !== 'tools' || index === null) return { at: 'manifest' };
  if (member === 'inputSchema') {
    // Taken from the pointer itself, because the segments are unescaped.
    const inner = rest.length === 0 ? '' : `/${pointer.split('/').slice(4).join('/')}`;
    return { at: 'tool', index, part: 'input', inner };
  }
  return { at: 'tool', index, part: PARTS.find((part) => part === member) ?? 'whole', inner: '' };
}

/** One step from an object schema to its row. */
export function fieldPlace(inner: string): FieldPlace {
  const [keyword, name, ...rest] = inner.split('/').slice(1);
  if (keyword !== 'properties' || name === undefined) return { name: null, inner };
  return { name: unescaped(name), inner: rest.map((segment) => `/${segment}`).join('') };
}

/** The keyword of a pointer below a row's schema; empty: the row as a whole. */
export function keywordOf(inner: string): string {
  return segments(inner)[0] ?? '';
}

function segments(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
