/**
 * Which part of an answer's figures comes from samples. `estimated` says it of the figure that an item is about (hits, visits, failures),
 * `estimates` of all others of the item.
 */
import { z } from '@hono/zod-openapi';
import { type Column, type Columns, fileColumnsOf } from './columns.ts';
import { rounded } from './numbers.ts';

export const estimatedSchema = z.number().openapi({ description: 'The part that comes from samples' });

export const estimatesSchema = z.record(z.string(), z.number()).openapi({
  description:
    'The part of the other figures that comes from samples: by name, nested ones with a dot, and only figures with such a part',
});

/** The column of `estimates`; a file has those of these figures. */
export const estimatesOf = (figures: Columns): Column<typeof estimatesSchema> => ({
  schema: estimatesSchema,
  file: fileColumnsOf(figures).map((figure) => ({
    ...figure,
    type: 'number',
    title: `${figure.title}, estimated`,
  })),
});

/** @param values by the name of a figure */
export const estimates = (values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value > 0 ? [[name, rounded(value)]] : [])),
  );

/** @param values by the name of a figure within another */
export const within = (name: string, values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([inner, value]) => [`${name}.${inner}`, value]));
