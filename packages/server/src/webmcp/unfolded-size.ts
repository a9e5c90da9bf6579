/**
 * How much work a schema's references make of it. References that meet in two places double what is behind them: 25 such steps in a row are 33
 * million checks of one value, for every agent that validates. Counted here without unfolding anything.
 */
import { isObject } from '@ghostlight/core';
import { type SchemaObject, subschemas } from './schema-walk.ts';

/** A schema of 16 KiB has some hundred parts; shared definitions multiply that a few times. */
export const MAX_UNFOLDED = 10_000;

/** @returns the number of subschemas once every reference is replaced by what it refers to, counted up to one more than `MAX_UNFOLDED`. A reference back to where it stands counts once. */
export function unfoldedSize(root: SchemaObject): number {
  const byPlace = new Map<string, SchemaObject>();
  const children = new Map<SchemaObject, SchemaObject[]>();
  for (const { schema, pointer } of subschemas(root)) {
    byPlace.set(`#${pointer}`, schema);
    for (const name of ['$anchor', '$dynamicAnchor'] as const) {
      const anchor = schema[name];
      if (typeof anchor === 'string') byPlace.set(`#${anchor}`, schema);
    }
    children.set(schema, []);
    const parent = pointer === '' ? undefined : parentOf(byPlace, pointer);
    if (parent !== undefined) children.get(parent)?.push(schema);
  }
  const sizes = new Map<SchemaObject, number>();
  const under = new Set<SchemaObject>();
  const sizeOf = (schema: SchemaObject): number => {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (under.has(schema)) return 1;
    under.add(schema);
    let size = 1;
    for (const part of [...(children.get(schema) ?? []), ...targetsOf(schema, byPlace)]) {
      size += sizeOf(part);
      if (size > MAX_UNFOLDED) break;
    }
    under.delete(schema);
    size = Math.min(size, MAX_UNFOLDED + 1);
    sizes.set(schema, size);
    return size;
  };
  return sizeOf(root);
}

/** The nearest schema around a place: keywords that hold several lie in between. */
function parentOf(byPlace: ReadonlyMap<string, SchemaObject>, pointer: string): SchemaObject | undefined {
  for (let at = pointer.lastIndexOf('/'); at >= 0; at = pointer.lastIndexOf('/', at - 1)) {
    const found = byPlace.get(`#${pointer.slice(0, at)}`);
    if (found !== undefined) return found;
    if (at === 0) break;
  }
  return undefined;
}

function targetsOf(schema: SchemaObject, byPlace: ReadonlyMap<string, SchemaObject>): SchemaObject[] {
  return ['$ref', '$dynamicRef'].flatMap((name) => {
    const reference = schema[name];
    const target = typeof reference === 'string' ? byPlace.get(decoded(reference)) : undefined;
    return isObject(target) ? [target] : [];
  });
}

/** `#/$defs/a%20b` → `#/$defs/a b`: a reference is a URI. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
