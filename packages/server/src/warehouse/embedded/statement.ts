/**
 * Reads just enough of a statement to carry it to chDB safely. ClickHouse's HTTP interface takes exactly one statement per request;
 * chDB would run what follows a `;` (seen: a DROP TABLE behind inline data ran), so the rule is kept here.
 */
import { CODES, EngineException } from './exceptions.ts';

export type Piece = { readonly kind: 'code' | 'quoted' | 'comment' | 'placeholder'; readonly text: string };

/**
 * Splits SQL into code, quoted text, comments and `{name:Type}` placeholders. Linear: one look at each character.
 * @throws EngineException on an unterminated quote or comment
 */
export function pieces(sql: string): Piece[] {
  const found: Piece[] = [];
  let start = 0;
  let at = 0;
  const push = (kind: Piece['kind'], end: number) => {
    if (end > at) {
      if (at > start) found.push({ kind: 'code', text: sql.slice(start, at) });
      found.push({ kind, text: sql.slice(at, end) });
      start = end;
      at = end;
    }
  };
  while (at < sql.length) {
    const char = sql[at] ?? '';
    if (char === "'" || char === '"' || char === '`') push('quoted', endOfQuoted(sql, at, char));
    else if (sql.startsWith('--', at) || char === '#')
      push('comment', endOr(sql.indexOf('\n', at), sql.length));
    else if (sql.startsWith('/*', at)) push('comment', endOfBlock(sql, at));
    else if (char === '{') {
      const match = /\{\s*[A-Za-z_]\w*\s*:[^{}]*\}/y;
      match.lastIndex = at;
      const text = match.exec(sql)?.[0];
      if (text === undefined) at += 1;
      else push('placeholder', at + text.length);
    } else at += 1;
  }
  if (at > start) found.push({ kind: 'code', text: sql.slice(start, at) });
  return found;
}

const endOr = (index: number, otherwise: number): number => (index === -1 ? otherwise : index);

function endOfQuoted(sql: string, from: number, quote: string): number {
  for (let at = from + 1; at < sql.length; at += 1) {
    if (sql[at] === '\\') at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  throw new EngineException(CODES.syntaxError, 'Syntax error: quoted text is not closed');
}

function endOfBlock(sql: string, from: number): number {
  const end = sql.indexOf('*/', from + 2);
  if (end === -1)
    throw new EngineException(CODES.syntaxError, 'Syntax error: multiline comment is not closed');
  return end + 2;
}

/** One statement, without its closing semicolons. @throws EngineException when there are several */
export function single(parts: readonly Piece[]): Piece[] {
  const end = parts.findIndex((part) => part.kind === 'code' && part.text.includes(';'));
  const last = parts[end];
  if (last === undefined) return [...parts];
  const semicolon = last.text.indexOf(';');
  const rest: readonly Piece[] = [
    { kind: 'code', text: last.text.slice(semicolon) },
    ...parts.slice(end + 1),
  ];
  const nothing = rest.every(
    ({ kind, text }) => kind === 'comment' || (kind === 'code' && text.replaceAll(';', '').trim() === ''),
  );
  if (!nothing) throw several();
  return [...parts.slice(0, end), { kind: 'code', text: last.text.slice(0, semicolon) }];
}

const several = () =>
  new EngineException(CODES.syntaxError, 'Syntax error: multi-statements are not allowed');

/** The statement's words outside quotes and comments, upper-cased, for looking at its kind. */
export function skeleton(parts: readonly Piece[]): string {
  return parts
    .map((part) => (part.kind === 'code' ? part.text : part.kind === 'comment' ? ' ' : "''"))
    .join('')
    .trim();
}

/** What a statement is to the HTTP face; `format` null: the default. */
export function kindOf(parts: readonly Piece[]): {
  readonly format: string | null;
  readonly insertsInlineData: boolean;
} {
  const text = skeleton(parts);
  const format = /\bFORMAT\s+(\w+)\s*$/i.exec(text)?.[1] ?? null;
  return {
    format,
    insertsInlineData: /^INSERT\b/i.test(text) && /\bFORMAT\s+(?!VALUES\b)\w+/i.test(text),
  };
}

export interface RawInsert {
  readonly table: string;
  readonly columns: readonly string[] | null;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly format: string;
}

const INSERT =
  /^INSERT\s+INTO\s+([A-Za-z_][\w.]*)\s*(?:\(([\w\s,]*)\)\s*)?(?:SETTINGS\s+([^;]*?)\s+)?FORMAT\s+(\w+)\s*$/i;
const SETTING = /^\s*([A-Za-z_]\w*)\s*=\s*(?:(-?\d+(?:\.\d+)?)|'([^'\\]*)')\s*$/;

/**
 * The statement of an insert whose rows are the request body: `INSERT INTO t [(columns)] [SETTINGS k = v, …] FORMAT f`. Nothing else
 * is understood, because chDB's raw insert takes the parts, not a statement.
 * @throws EngineException
 */
export function parseInsert(sql: string): RawInsert {
  const match = INSERT.exec(sql.trim().replace(/;$/, ''));
  if (match === null) {
    throw new EngineException(
      CODES.unsupported,
      'An insert with a body must read INSERT INTO table [(columns)] [SETTINGS name = value, …] FORMAT name',
    );
  }
  const [, table = '', columns, settings, format = ''] = match;
  const parsed: Record<string, string | number> = {};
  for (const text of settings === undefined ? [] : settings.split(',')) {
    const [, name, number, quoted] = SETTING.exec(text) ?? [];
    if (name === undefined)
      throw new EngineException(CODES.syntaxError, 'Syntax error in the SETTINGS clause');
    parsed[name] = number === undefined ? (quoted ?? '') : Number(number);
  }
  return {
    table,
    columns: columns === undefined ? null : columns.split(',').map((column) => column.trim()),
    settings: parsed,
    format,
  };
}
