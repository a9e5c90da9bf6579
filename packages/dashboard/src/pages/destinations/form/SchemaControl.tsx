import { Problem, type Said } from '../../../parts/Field.tsx';
import { Select } from '../../../parts/Select.tsx';
import { Segments, Switch } from '../../../parts/Switch.tsx';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import type { SchemaField } from '../model/schema.ts';
import type { FormValues } from '../model/values.ts';
import { SecretInput, WriteOnlyInput } from './WriteOnlyInput.tsx';

/** The most choices side by side; more, or longer ones, become a menu. */
const MAX_SEGMENTS = 3;
const MAX_SEGMENT_LETTERS = 18;

interface SchemaControlProps {
  field: SchemaField;
  value: string;
  /** The stored value. */
  initial?: string;
  onValue: (text: string) => void;
  /** A secret: hidden while typed, never shown again. */
  secret?: boolean;
  message?: string | undefined;
}

/** The control for a field of a schema. */
export function SchemaControl({
  field,
  value,
  initial = '',
  onValue,
  secret = false,
  message,
}: SchemaControlProps) {
  const { kind, title, help, example, required, fallback } = field;
  const placeholder = example === '' ? '' : `e.g. ${example}`;
  const problem: Said | undefined = message === undefined ? undefined : { message, severity: 'error' };
  const common = {
    label: title,
    optional: !required && fallback === undefined,
    ...(help === '' ? {} : { hint: help }),
    problem,
    value,
  };
  if (field.sealed && initial !== '')
    return (
      <WriteOnlyInput
        {...common}
        stored={initial}
        max={kind.is === 'text' ? kind.max : undefined}
        placeholder={placeholder}
        onText={onValue}
      />
    );
  switch (kind.is) {
    case 'switch':
      return (
        <Switch
          label={title}
          {...(help === '' ? {} : { hint: help })}
          on={value === 'true'}
          onSwitch={(on) => onValue(String(on))}
        />
      );
    case 'choice':
      return isShort(kind.options) ? (
        <Choice field={field} options={kind.options} value={value} problem={problem} onValue={onValue} />
      ) : (
        <Select
          label={title}
          {...(help === '' ? {} : { hint: help })}
          problem={problem}
          value={value}
          options={kind.options}
          onChoose={onValue}
        />
      );
    case 'list':
      return <TextArea {...common} rows={3} placeholder={placeholder || 'One per line'} onText={onValue} />;
    case 'json':
      return <TextArea {...common} code rows={4} placeholder={placeholder || 'JSON'} onText={onValue} />;
    case 'number':
      return <TextInput {...common} inputMode="decimal" placeholder={placeholder} onText={onValue} />;
    case 'text':
      return secret ? (
        <SecretInput
          {...common}
          long={kind.long}
          generated={field.generated}
          max={kind.max}
          placeholder={placeholder}
          onText={onValue}
        />
      ) : kind.long ? (
        <TextArea {...common} code rows={4} placeholder={placeholder} onText={onValue} />
      ) : (
        <TextInput {...common} code maxLength={kind.max} placeholder={placeholder} onText={onValue} />
      );
  }
}

interface ChoiceProps {
  field: SchemaField;
  options: readonly (readonly [string, string])[];
  value: string;
  problem: Said | undefined;
  onValue: (text: string) => void;
}

function Choice({ field: { title, help }, options, value, problem, onValue }: ChoiceProps) {
  return (
    <div className="field">
      <p className="field-label" aria-hidden="true">
        {title}
      </p>
      <div>
        <Segments legend={title} value={value} options={options} onChoose={onValue} />
      </div>
      {problem !== undefined && <Problem said={problem} />}
      {help !== '' && <p className="field-hint">{help}</p>}
    </div>
  );
}

function isShort(options: readonly (readonly [string, string])[]): boolean {
  return options.length <= MAX_SEGMENTS && options.every(([, label]) => label.length <= MAX_SEGMENT_LETTERS);
}

interface SchemaFormProps {
  /** Those to show, of the form's. */
  fields: readonly SchemaField[];
  values: FormValues;
  initial: FormValues;
  problems: ReadonlyMap<string, string>;
  secret?: boolean;
  onValue: (name: string, text: string) => void;
}

/** Required fields first, then optional ones. */
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
