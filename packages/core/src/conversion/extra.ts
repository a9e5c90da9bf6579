/** Keeps a sender's unknown fields: a copy that is plain, bounded and safe to store, whatever came. */
import type { JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';

/** Of one event, in all its objects together. */
export const EXTRA_LIMITS = {
  /** Members, items and values. */
  values: 1000,
  /** UTF-16 code units of all names and texts. */
  characters: 32 * 1024,
  /** Arrays and objects inside one another, below the field itself. */
  depth: 8,
  name: 128,
} as const;

/** Set by a careless merge, these reach into every object of the program. No order needs them. */
const UNSAFE_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export interface ExtraKeeper {
  /** @returns a copy of a field's value, or undefined for what can't be kept: it is then left out as a whole */
  keep(name: string, value: unknown): JsonValue | undefined;
}

/** @returns a keeper with the budget of one event */
export function createExtraKeeper(): ExtraKeeper {
  let values = EXTRA_LIMITS.values;
  let characters = EXTRA_LIMITS.characters;

  const spend = (length: number): boolean => {
    values -= 1;
    characters -= length;
    return values >= 0 && characters >= 0;
  };

  const copy = (value: unknown, depth: number): JsonValue | undefined => {
    if (typeof value === 'string') {
      const text = storable(value);
      return spend(text.length) ? text : undefined;
    }
    if (!spend(0)) return undefined;
    if (value === null || typeof value === 'boolean') return value;
    // JSON has one zero: a negative one would come back as another.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
    if (depth >= EXTRA_LIMITS.depth) return undefined;
    if (Array.isArray(value)) return copyItems(value, depth);
    return isJsonObject(value) ? copyMembers(value, depth) : undefined;
  };

  const copyItems = (items: readonly unknown[], depth: number): JsonValue | undefined => {
    const kept: JsonValue[] = [];
    for (const item of items) {
      const value = copy(item, depth + 1);
      if (value === undefined) return undefined;
      kept.push(value);
    }
    return kept;
  };

  const copyMembers = (object: Record<string, unknown>, depth: number): JsonValue | undefined => {
    const kept: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(object)) {
      const value = copyMember(name, member, depth + 1);
      if (value === undefined) return undefined;
      kept[name] = value;
    }
    return kept;
  };

  const copyMember = (name: string, value: unknown, depth: number): JsonValue | undefined => {
    if (UNSAFE_NAMES.includes(name) || name.length > EXTRA_LIMITS.name || storable(name) !== name)
      return undefined;
    characters -= name.length;
    return copy(value, depth);
  };

  return {
    keep(name, value) {
      const before = { values, characters };
      const kept = copyMember(name, value, 0);
      // What is left out costs nothing, so that the next field is evaluated on its own.
      if (kept === undefined) ({ values, characters } = before);
      return kept;
    },
  };
}

/** UTF-8 can't write half a surrogate pair, and PostgreSQL stores no NUL. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '');
