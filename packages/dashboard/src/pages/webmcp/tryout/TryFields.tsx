import { Problem } from '../../../parts/Field.tsx';
import { Select } from '../../../parts/Select.tsx';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import type { TryField, TryKind, TryValues } from '../model/try-out.ts';

interface TryFieldsProps {
  fields: readonly TryField[];
  values: TryValues;
  problems: ReadonlyMap<string, string>;
  onValue: (pointer: string, text: string) => void;
}

export function TryFields({ fields, values, problems, onValue }: TryFieldsProps) {
  return fields.map((field) => {
    const { pointer, name, kind, required } = field;
    const message = problems.get(pointer);
    const problem = message === undefined ? undefined : ({ message, severity: 'error' } as const);
    if (kind.is === 'group') {
      return (
        <fieldset key={pointer} className="try-group">
          <legend>
            <code>{name}</code>
            {!required && <span className="field-note"> optional</span>}
          </legend>
          {problem !== undefined && <Problem said={problem} />}
          <TryFields fields={kind.fields} values={values} problems={problems} onValue={onValue} />
        </fieldset>
      );
    }
    const common = {
      label: name,
      note: required ? undefined : 'optional',
      hint: field.description === '' ? undefined : field.description,
      problem,
      value: values[pointer] ?? '',
    };
    const onText = (text: string) => onValue(pointer, text);
    const options = optionsOf(kind);
    if (options !== null) return <Select key={pointer} {...common} options={options} onChoose={onText} />;
    if (kind.is === 'json')
      return <TextArea key={pointer} {...common} code rows={3} placeholder="JSON" onText={onText} />;
    if (kind.is === 'list') {
      return <TextArea key={pointer} {...common} rows={3} placeholder="One item a line" onText={onText} />;
    }
    const number = kind.is === 'number' || kind.is === 'integer';
    return <TextInput key={pointer} {...common} inputMode={number ? 'decimal' : 'text'} onText={onText} />;
  });
}

/** Null: it is typed, not chosen. */
function optionsOf(kind: TryKind): (readonly [string, string])[] | null {
  const none = ['', 'Not sent'] as const;
  if (kind.is === 'boolean') return [none, ['true', 'true'], ['false', 'false']];
  if (kind.is !== 'choice') return null;
  return [none, ...kind.choices.map((choice) => [String(choice), String(choice)] as const)];
}
