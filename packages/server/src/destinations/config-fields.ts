/** Fields that the settings of several platforms have, so that one thing is asked for in one way. */
import { z } from 'zod';

export interface FieldText {
  readonly title: string;
  /** Where the operator finds it, in the words of the platform's screen. */
  readonly description: string;
  readonly example: string;
}

/** Longer than any token that a platform hands out. */
const MAX_SECRET = 4096;

/** An id that becomes part of an address or a body. @param pattern anchored: nothing else of what a user enters gets there */
export function idField(pattern: RegExp, expected: string, { example, ...text }: FieldText): z.ZodString {
  return z
    .string()
    .trim()
    .regex(pattern, `Must be ${expected}.`)
    .meta({ ...text, examples: [example] });
}

/** A token or key. It becomes a header's value or part of an address, so it holds no white space and nothing beyond ASCII. */
export function secretField({ example, ...text }: FieldText): z.ZodString {
  return z
    .string()
    .trim()
    .max(MAX_SECRET, `Must have at most ${MAX_SECRET} characters.`)
    .regex(/^[\x21-\x7e]{8,}$/, 'Must be only the key or token: at least 8 characters, no spaces.')
    .meta({ ...text, examples: [example] });
}

/** Off unless it is turned on. */
export function switchField(text: { readonly title: string; readonly description: string }) {
  return z
    .boolean()
    .default(false)
    .meta({ ...text, examples: [false, true] });
}

/** @param name the platform's own for it, with the code that it sends */
export const limitedDataUseField = (name: string) =>
  switchField({
    title: 'Limited Data Use',
    description: `On: ${name} is sent with every event. Off: only for people who have objected to the sale of their data. It is meant for US privacy laws and is not a substitute for consent in Europe.`,
  });
