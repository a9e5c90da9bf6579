import type { SchemaField } from '../model/schema.ts';
import type { FormValues } from '../model/values.ts';
import { SchemaControl } from './SchemaControl.tsx';

interface SchemaFormProps {
  fields: readonly SchemaField[];
  values: FormValues;
  initial: FormValues;
  problems: ReadonlyMap<string, string>;
  secret?: boolean;
  onValue: (name: string, text: string) => void;
}

/** What has to be said first, then what may be. */
export function SchemaForm({ fields, values, initial, problems, secret = false, onValue }: SchemaFormProps) {
  const needed = fields.filter(({ required }) => required);
  const ordered = [...needed, ...fields.filter((field) => !needed.includes(field))];
  return ordered.map((field) => (
    <SchemaControl
      key={field.name}
      field={field}
      secret={secret}
      value={values[field.name] ?? ''}
      initial={initial[field.name] ?? ''}
      message={problems.get(field.name)}
      onValue={(text) => onValue(field.name, text)}
    />
  ));
}
