/** The editor's short form of a tool's input: `{"sku": "string", "quantity": "number"}`. */
import { isJsonObject, type JsonObject } from '../json.ts';

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/**
 * The JSON Schema that a short form stands for: every parameter required, no other allowed.
 * @returns null for what is no short form. A schema never is one: its `type` is "object", which no parameter's type can be.
 */
export function expandShortForm(value: unknown): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const parameters = Object.entries(value);
  if (!parameters.every(([, type]) => TYPES.has(type))) return null;
  return {
    type: 'object',
    // fromEntries makes `__proto__` a member like any other.
    properties: Object.fromEntries(parameters.map(([name, type]) => [name, { type: type as string }])),
    required: parameters.map(([name]) => name),
    additionalProperties: false,
  };
}
