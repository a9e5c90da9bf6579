/**
 * What of an answer's figures stands on samples. `estimated` says it of the figure that an item is about (hits, visits, failures),
 * `estimates` of all others of the item.
 */
import { z } from '@hono/zod-openapi';
import { type Column, type Columns, fileColumnsOf } from './columns.ts';
import { rounded } from './numbers.ts';

export const estimatedSchema = z.number().openapi({ description: 'What of them stands on samples' });

export const estimatesSchema = z.record(z.string(), z.number()).openapi({
  description:
    'What of the other figures beside it stands on samples: by name, nested ones with a dot, and those alone of which a part does',
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
