/**
 * What a report says of itself: where it is asked for, with what parameters, what its answer is made of, and how it is read. Routes,
 * files and the OpenAPI document are made of that by `serve.ts`; whatever else answers with reports needs no more than this either.
 */
import { z } from '@hono/zod-openapi';
import type { ItemOf, Table } from './columns.ts';
import { envelope, envelopeSchema, type ReportContext } from './context.ts';
import {
  type ListParameters,
  listParameters,
  pageShape,
  type TimelineParameters,
  timelineParameters,
  timelineShape,
} from './listing.ts';
import { type ReportParameters, reportParameters } from './parameters.ts';

/** Any report, as the register holds it. */
export interface Report {
  /** Of its file too: lower case, hyphens. */
  readonly name: string;
  /** Below `/properties/{id}/reports/`. */
  readonly path: string;
  /** What it answers, in a line. */
  readonly summary: string;
  /** `all`: spoofed visits are its subject, or rows whatever they are, so it has them without being asked for them. */
  readonly population: 'all' | null;
  /** What `compare` is when it is left out. */
  readonly compare: 'previous' | 'none';
  /** Of the query. */
  readonly parameters: z.ZodObject;
  /** The whole answer and its name in the OpenAPI document. */
  readonly answer: { readonly name: string; readonly schema: z.ZodObject };
  /** null: the report is one answer, which no file has a form for. */
  readonly list: ReportList | null;
  /** @param parameters as the schema gives them @returns what the answer has beside its envelope */
  run(context: ReportContext, parameters: AnyParameters): Promise<object>;
}

export interface ReportList {
  /** How its pages are asked for: by their number, or by the place after which they begin. */
  readonly paging: 'numbers' | 'cursor';
  readonly sorts: readonly string[];
  /** What its items may be. */
  readonly tables: readonly Table[];
  /** What they are under these parameters. */
  tableOf(parameters: AnyParameters): Table;
  /** The whole list in pieces of bounded length, without what only a page is read for. */
  whole(context: ReportContext, parameters: AnyParameters): AsyncIterable<readonly object[]>;
}

export type AnyParameters = ReportParameters & Partial<ListParameters>;

type None = Record<never, never>;
/** Where no members are named nothing is known, and not that there may be any. */
type Inferred<Shape extends z.ZodRawShape> = [keyof Shape] extends [never]
  ? unknown
  : string extends keyof Shape
    ? unknown
    : z.infer<z.ZodObject<Shape>>;

interface Definition<Parameters extends z.ZodRawShape> {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  /** The answer's name in the OpenAPI document. */
  readonly schema: string;
  readonly population?: 'all';
  readonly compare?: 'previous';
  /** Beside those of all reports. */
  readonly parameters?: Parameters;
}

const common = ({ name, path, summary, population, compare }: Definition<z.ZodRawShape>) => ({
  ...{ name, path, summary },
  population: population ?? null,
  compare: compare ?? ('none' as const),
});

/** A report that is one answer. */
export function defineAnswer<Answer extends z.ZodRawShape, Parameters extends z.ZodRawShape = None>(
  definition: Definition<Parameters> & {
    readonly answer: z.ZodObject<Answer>;
    run(
      context: ReportContext,
      parameters: ReportParameters & Inferred<Parameters>,
    ): Promise<z.infer<z.ZodObject<Answer>>>;
  },
): Report {
  const { schema: name, answer, parameters = {} } = definition;
  return {
    ...common(definition),
    parameters: reportParameters.extend(parameters),
    answer: { name, schema: envelopeSchema.extend(answer.shape).openapi(name) },
    list: null,
    run: (context, asked) => definition.run(context, asked as never),
  };
}

/** A report that is a list: a page of it with totals and series, or the whole of it as a file. */
export function defineList<
  const Sorts extends readonly [string, ...string[]],
  const Tables extends readonly [Table, ...Table[]],
  Around extends z.ZodRawShape = None,
  Parameters extends z.ZodRawShape = None,
>(
  definition: Definition<Parameters> & {
    /** The first is the default. */
    readonly sorts: Sorts;
    readonly tables: Tables;
    /** Where there are several tables; default: the first. */
    tableOf?(parameters: ParametersOf<Parameters, Sorts>): Tables[number];
    /** Totals, series and whatever else stands around a page. */
    readonly around?: Around;
    run(
      context: ReportContext,
      parameters: ParametersOf<Parameters, Sorts>,
    ): Promise<
      { readonly items: readonly ItemOf<Tables[number]>[]; readonly total: number } & Inferred<Around>
    >;
    whole(
      context: ReportContext,
      parameters: ParametersOf<Parameters, Sorts>,
    ): AsyncIterable<readonly ItemOf<Tables[number]>[]>;
  },
): Report {
  const { schema: name, sorts, tables, tableOf, around = {}, parameters = {} } = definition;
  const schemas = tables.map(({ schema }) => schema);
  const item = schemas.length === 1 ? (schemas[0] as z.ZodType) : z.union(schemas);
  return {
    ...common(definition),
    parameters: reportParameters.extend({ ...parameters, ...listParameters(sorts) }),
    answer: {
      name,
      schema: envelopeSchema.extend({ ...pageShape, items: z.array(item), ...around }).openapi(name),
    },
    list: {
      paging: 'numbers',
      sorts,
      tables,
      tableOf: (asked) => tableOf?.(asked as never) ?? tables[0],
      whole: (context, asked) => definition.whole(context, asked as never),
    },
    async run(context, asked) {
      const { page_number, limit } = asked;
      const { items, total, ...rest } = await definition.run(context, asked as never);
      return { items, total, page_number, limit, ...rest };
    },
  };
}

/** A report that is a list by time, of any length: a page goes on after another one, and which page it is and how many there are is not counted. */
export function defineTimeline<const Of extends Table, Parameters extends z.ZodRawShape>(
  definition: Definition<Parameters> & {
    readonly table: Of;
    run(
      context: ReportContext,
      parameters: ReportParameters & Inferred<Parameters> & TimelineParameters,
    ): Promise<{
      readonly items: readonly ItemOf<Of>[];
      readonly previous: string | null;
      readonly next: string | null;
    }>;
    whole(
      context: ReportContext,
      parameters: ReportParameters & Inferred<Parameters> & TimelineParameters,
    ): AsyncIterable<readonly ItemOf<Of>[]>;
  },
): Report {
  const { schema: name, table, parameters = {} } = definition;
  return {
    ...common(definition),
    parameters: reportParameters.extend({ ...parameters, ...timelineParameters }),
    answer: {
      name,
      schema: envelopeSchema.extend({ ...timelineShape, items: z.array(table.schema) }).openapi(name),
    },
    list: {
      paging: 'cursor',
      sorts: [],
      tables: [table],
      tableOf: () => table,
      whole: (context, asked) => definition.whole(context, asked as never),
    },
    async run(context, asked) {
      const { items, previous, next } = await definition.run(context, asked as never);
      return { items, previous, next, limit: asked.limit };
    },
  };
}

type ParametersOf<Parameters extends z.ZodRawShape, Sorts extends readonly string[]> = ReportParameters &
  Inferred<Parameters> &
  ListParameters<Sorts[number]>;

/** What a report answers, by whatever way it is asked. @param ignored names that were asked with and that it does not have */
export const answerOf = async (
  report: Report,
  context: ReportContext,
  parameters: AnyParameters,
  ignored: readonly string[] = [],
): Promise<object> => ({ ...envelope(context, ignored), ...(await report.run(context, parameters)) });
