/** Words for the types of JSON Schema. */
import type { FieldKind } from '../model/fields.ts';

export const KINDS = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export const KIND_NAMES: Readonly<Record<FieldKind, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Group',
  other: 'Other',
};
