import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { JsonSchema } from '../../../features/destinations/api.ts';
import { fieldsOf, type SchemaField } from '../model/schema.ts';
import { type FormValues, problemsAt, readValues, valuesOf } from '../model/values.ts';

interface SchemaFormState {
  readonly fields: readonly SchemaField[];
  readonly values: FormValues;
  /** The stored values. */
  readonly initial: FormValues;
  /** By field: the mistake in the input, else the error of the service. */
  readonly problems: ReadonlyMap<string, string>;
  /** Mistakes in the input, shown or not. */
  readonly mistakes: ReadonlyMap<string, string>;
  /** A required field is empty. */
  readonly isIncomplete: boolean;
  readonly set: (name: string, text: string) => void;
  /** Resets the form. @param now the stored values, if they have changed */
  readonly reset: (now?: Readonly<Record<string, unknown>>) => void;
  /** The values of the form; null when there are mistakes, which are shown from then on. */
  readonly read: () => Readonly<Record<string, unknown>> | null;
}

/**
 * A form made from a schema.
 * @param member of the request's body: errors below it are shown at these fields
 * @param stored the stored values
 */
export function useSchemaForm(
  schema: JsonSchema,
  member: 'config' | 'credentials',
  error: unknown,
  stored: Readonly<Record<string, unknown>> = {},
): SchemaFormState {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [values, setValues] = useState<FormValues>(() => valuesOf(fields, stored));
  const [isTried, setTried] = useState(false);
  // An error of the service disappears as soon as its field changes.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const { object, mistakes } = readValues(fields, values);
  const refused = [...problemsAt(error, member)].filter(([name]) => !changed.has(name));
  return {
    fields,
    values,
    initial: valuesOf(fields, stored),
    mistakes,
    isIncomplete: fields.some(({ name, required }) => required && (values[name] ?? '').trim() === ''),
    problems: new Map([...refused, ...(isTried ? mistakes : [])]),
    set: (name, text) => {
      setValues((before) => ({ ...before, [name]: text }));
      setChanged((before) => new Set(before).add(name));
    },
    reset: (now = stored) => {
      setValues(valuesOf(fields, now));
      setTried(false);
    },
    read: () => {
      setTried(true);
      setChanged(new Set());
      return mistakes.size === 0 ? object : null;
    },
  };
}

/**
 * Moves the focus to the first invalid field: after an error of the service, and on request.
 * @returns a function to call when a form could not be sent
 */
export function useFirstMistake(form: RefObject<HTMLElement | null>, error: unknown): () => void {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (turn === 0 && error === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [turn, error, form]);
  return () => setTurn((before) => before + 1);
}
