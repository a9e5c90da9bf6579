/**
 * `{name:Type}` parameters, as a ClickHouse server replaces them: with `_CAST('value', 'Type')`. chdb's own binding is not used: it is
 * process-wide, so its JavaScript side runs parameterised queries of all connections one after another (chdb 3.4.0, index.js
 * `runExclusiveParam`), and one heavy report would hold every live query.
 */
import { CODES, EngineException } from './exceptions.ts';
import type { Piece } from './statement.ts';

/**
 * @param values as they are in the URL (`param_x=`): tab-separated escapes, `\N` for null
 * @throws EngineException when a placeholder has no value or names an identifier
 */
export function bindParameters(parts: readonly Piece[], values: ReadonlyMap<string, string>): string {
  return parts.map((part) => (part.kind === 'placeholder' ? bindOne(part.text, values) : part.text)).join('');
}

function bindOne(placeholder: string, values: ReadonlyMap<string, string>): string {
  const colon = placeholder.indexOf(':');
  const name = placeholder.slice(1, colon).trim();
  const type = placeholder.slice(colon + 1, -1).trim();
  const value = values.get(name);
  if (value === undefined) {
    throw new EngineException(CODES.missingParameter, `Query parameter \`${name}\` was not set`);
  }
  if (type === 'Identifier') {
    if (!/^[A-Za-z_]\w*$/.test(value)) {
      throw new EngineException(CODES.unsupported, 'Only plain names are taken as identifiers');
    }
    return `\`${value}\``;
  }
  if (value === '\\N') return `_CAST(NULL, ${literal(type)})`;
  if (/^(?:Tuple|Map|Nested)\b/.test(type)) {
    throw new EngineException(CODES.unsupported, `Parameters of type ${type} are not taken; use arrays`);
  }
  // Arrays keep their inner quoting; every other type is read with tab-separated escapes.
  const text = type.startsWith('Array') ? value : readEscapes(value);
  return `_CAST(${literal(text)}, ${literal(type)})`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

function readEscapes(value: string): string {
  return value.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
  );
}

/** A string literal. NUL is escaped: the engine's C interface would end the statement there. */
export function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}
