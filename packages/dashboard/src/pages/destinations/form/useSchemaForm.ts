import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { JsonSchema } from '../../../features/destinations/api.ts';
import { fieldsOf, type SchemaField } from '../model/schema.ts';
import { type FormValues, problemsAt, readValues, valuesOf } from '../model/values.ts';

interface SchemaFormState {
  readonly fields: readonly SchemaField[];
  readonly values: FormValues;
  /** What stands in the form at first. */
  readonly initial: FormValues;
  /** By field: what is wrong with what is typed, else what the service said of it. */
  readonly problems: ReadonlyMap<string, string>;
  /** What is wrong with what is typed, shown or not. */
  readonly mistakes: ReadonlyMap<string, string>;
  readonly set: (name: string, text: string) => void;
  /** Forgets what was typed. @param now what is stored, where that has changed */
  readonly reset: (now?: Readonly<Record<string, unknown>>) => void;
  /** What the form says, or null while something in it is wrong, which is shown from then on. */
  readonly read: () => Readonly<Record<string, unknown>> | null;
}

/**
 * A form made from a schema.
 * @param member of the request's body, whose refusals are shown at these fields
 * @param stored what stands in the form at first
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
  // A refusal is of what was sent: it goes as soon as the field is changed.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const { object, mistakes } = readValues(fields, values);
  const refused = [...problemsAt(error, member)].filter(([name]) => !changed.has(name));
  return {
    fields,
    values,
    initial: valuesOf(fields, stored),
    mistakes,
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
 * Moves the focus to the first field that is wrong, once it is marked: after a refusal of the service, and when asked.
 * @returns to be called when a form could not be sent
 */
export function useFirstMistake(form: RefObject<HTMLElement | null>, error: unknown): () => void {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (turn === 0 && error === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [turn, error, form]);
  return () => setTurn((before) => before + 1);
}
