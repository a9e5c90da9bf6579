/** Columns of a list, each declared once: the schema of items, the columns of a file, their types, units and titles follow from it. */
import { z } from '@hono/zod-openapi';

export type ColumnType = 'text' | 'texts' | 'number' | 'integer' | 'flag' | 'moment' | 'day';
/** `fraction`: a part of 1. */
export type Unit = 'visits' | 'bytes' | 'pages' | 'files' | 'bots' | 'paths' | 'fraction' | 'points';

/** A column of a file. */
export interface FileColumn {
  /** Where an item has it, members of members with a dot. */
  readonly name: string;
  readonly type: ColumnType;
  /** null: it is no amount. */
  readonly unit: Unit | null;
  readonly title: string;
}

/** A member of an item. */
export interface Column<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Its part in a file. Names are those below the member; empty: the member itself. */
  readonly file: readonly FileColumn[];
}
export type Columns = Readonly<Record<string, Column>>;
type ShapeOf<C extends Columns> = { readonly [Name in keyof C]: C[Name]['schema'] };

export const column = <Schema extends z.ZodType>(
  schema: Schema,
  type: ColumnType,
  title: string,
  unit: Unit | null = null,
): Column<Schema> => ({ schema, file: [{ name: '', type, unit, title }] });

const described = <Schema extends z.ZodType>(schema: Schema, description: string | undefined): Schema =>
  description === undefined ? schema : (schema.openapi({ description }) as Schema);

export const text = (title: string) => column(z.string(), 'text', title);
export const number = (title: string, unit: Unit, description?: string) =>
  column(described(z.number(), description), 'number', title, unit);
export const integer = (title: string, unit: Unit | null, description?: string) =>
  column(described(z.number().int(), description), 'integer', title, unit);
/** null: never. */
export const time = (title: string) => column(z.iso.datetime().nullable(), 'moment', title);
/** What a cell has no place for. */
export const jsonOnly = <Schema extends z.ZodType>(schema: Schema): Column<Schema> => ({ schema, file: [] });

/** The same column where it may have nothing to say. */
export const nullable = <Schema extends z.ZodType>(
  { schema, file }: Column<Schema>,
  description: string,
) => ({
  schema: schema.nullable().openapi({ description }),
  file,
});

/** Columns that are members of one member. */
export const group = <C extends Columns>(columns: C, description?: string) => ({
  schema: described(z.object(shapeOf(columns)), description),
  file: fileColumnsOf(columns),
});
export const groupOrNull = <C extends Columns>(columns: C) => {
  const { schema, file } = group(columns);
  return { schema: schema.nullable(), file };
};

/** For an object that has these members: totals have many of a list's. */
export const shapeOf = <C extends Columns>(columns: C): ShapeOf<C> =>
  Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])) as ShapeOf<C>;

export const fileColumnsOf = (columns: Columns): FileColumn[] =>
  Object.entries(columns).flatMap(([member, { file }]) =>
    file.map((one) => ({ ...one, name: one.name === '' ? member : `${member}.${one.name}` })),
  );

/** What the items of a list have. */
export interface Table<Schema extends z.ZodObject = z.ZodObject> {
  /** Of an item, in the OpenAPI document. */
  readonly name: string;
  readonly schema: Schema;
  readonly file: readonly FileColumn[];
}
export type ItemOf<T extends Table> = z.infer<T['schema']>;

/** @param last columns that came later: readers know a column of a file by its position, so these come last, in this order */
export const defineTable = <C extends Columns>(name: string, columns: C, last: readonly string[] = []) => ({
  name,
  schema: z.object(shapeOf(columns)).openapi(name),
  file: fileColumnsOf(columns).sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name)),
});

/** The cell of a column. */
export function cellOf(item: object, { name }: Pick<FileColumn, 'name'>): unknown {
  let value: unknown = item;
  for (const member of name.split('.'))
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[member];
  return Array.isArray(value) ? value.join(' ') : value;
}
