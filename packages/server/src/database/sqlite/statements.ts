/** node:sqlite as the driver of Kysely. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Tables } from '../tables.ts';

/** Statements that are kept prepared, the latest used: more than a busy service has. Longer ones are inserts of many rows, hardly ever alike. */
const MAX_STATEMENTS = 300;
const MAX_STATEMENT_LENGTH = 4_096;

/**
 * node:sqlite speaks almost, not quite, what Kysely expects: bare, INSERTs throw and SELECTs answer nothing. Preparing a statement costs a
 * fifth of a conversion's time, so they are kept; each is done before the next begins, and a stream, which isn't, gets one of its own.
 */
export function queriesOver(
  database: DatabaseSync,
  onError: (error: unknown) => void = () => undefined,
): Kysely<Tables> {
  const statements = new Map<string, SqliteStatement>();
  const prepared = (text: string): SqliteStatement => {
    // On a full disk SQLite has rolled back by itself, and a second time is an error that would hide the first.
    if (text === 'rollback' && !database.isTransaction) return NOTHING;
    const statement = statements.get(text) ?? prepare(database, text, onError);
    if (text.length > MAX_STATEMENT_LENGTH) return statement;
    statements.delete(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare: prepared,
      },
    }),
  });
}

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

function prepare(database: DatabaseSync, text: string, onError: (error: unknown) => void): SqliteStatement {
  const statement = database.prepare(text);
  const told = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => told(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => told(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => database.prepare(text).iterate(...(parameters as SQLInputValue[])),
  };
}
