import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useProperty } from '../../../features/property/useProperty.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconCheck, IconCross } from '../../../parts/icons.tsx';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import { webmcpApi } from '../api.ts';
import { pretty } from '../model/input.ts';
import {
  argumentsOf,
  fieldAt,
  suggested,
  type TryField,
  type TryKind,
  type TryValues,
  tryFields,
} from '../model/try-out.ts';
import type { Tool } from '../types.ts';

/** Tries a tool's schema: a form, and the resulting arguments. Nothing is called. */
export function TryDialog({ tool, onClose }: { tool: Tool; onClose: () => void }) {
  const property = useProperty();
  const announce = useAnnounce();
  const fields = useMemo(() => tryFields(tool.inputSchema), [tool]);
  const [values, setValues] = useState(() => suggested(tool.inputSchema));
  const { value, mistakes } = argumentsOf(fields, values);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: () => webmcpApi.tryOut(property?.id ?? '', tool, value),
    onSuccess: ({ valid, errors }) =>
      announce(valid ? 'The arguments are valid' : `${counted(errors.length, 'problem')} in the arguments`),
  });
  const set = (pointer: string, text: string) => {
    reset();
    setValues((before) => ({ ...before, [pointer]: text }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const errors = data?.errors ?? [];
  const atFields = new Map(mistakes);
  for (const { pointer, message } of errors) {
    const field = fieldAt(fields ?? [], pointer);
    if (field !== null && !atFields.has(field.pointer)) atFields.set(field.pointer, message);
  }
  const general = errors.filter(({ pointer }) => fieldAt(fields ?? [], pointer) === null);
  return (
    <Dialog title={`Try ${tool.name || 'the tool'}`} wide onClose={onClose}>
      <form className="try" onSubmit={submit} noValidate>
        <div className="try-form">
          {fields === null && (
            <TextArea
              label="Arguments"
              code
              rows={8}
              hint="This schema has no form: enter the arguments as JSON."
              value={values[''] ?? ''}
              problem={said(atFields.get(''))}
              onText={(text) => set('', text)}
            />
          )}
          {fields?.length === 0 && <p className="quiet">No input.</p>}
          {fields !== null && <TryFields fields={fields} values={values} problems={atFields} onValue={set} />}
        </div>
        <div className="try-result">
          <CodeBlock title="What an agent sends" what="the arguments" code={pretty(call(tool, value))} />
          {data?.valid === true && (
            <p className="try-verdict" data-good="true">
              <IconCheck />
              The schema accepts these arguments.
            </p>
          )}
          {data?.valid === false && (
            <p className="try-verdict" data-good="false">
              <IconCross />
              The schema rejects these arguments: {counted(errors.length, 'problem')}.
            </p>
          )}
          {general.map(({ pointer, message }) => (
            <Problem
              key={`${pointer} ${message}`}
              said={{ message: pointer === '' ? message : `${pointer} ${message}`, severity: 'error' }}
            />
          ))}
          {error !== null && <ErrorState error={error} />}
          <p className="quiet">Nothing is called: this only checks the arguments against the schema.</p>
        </div>
        <div className="dialog-actions try-actions">
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" className="button button-primary" disabled={isPending}>
            {isPending ? 'Checking…' : 'Validate'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The parameters of `tools/call` in MCP; in a page, `execute` gets only `arguments`. */
function call({ name }: Tool, value: unknown) {
  return { name, arguments: value };
}

function said(message: string | undefined) {
  return message === undefined ? undefined : ({ message, severity: 'error' } as const);
}

interface TryFieldsProps {
  fields: readonly TryField[];
  values: TryValues;
  problems: ReadonlyMap<string, string>;
  onValue: (pointer: string, text: string) => void;
}

function TryFields({ fields, values, problems, onValue }: TryFieldsProps) {
  return fields.map((field) => {
    const { pointer, name, kind, required } = field;
    const message = problems.get(pointer);
    const problem = message === undefined ? undefined : ({ message, severity: 'error' } as const);
    if (kind.is === 'group') {
      return (
        <fieldset key={pointer} className="try-group">
          <legend>
            <code>{name}</code>
            {!required && <span className="optional"> optional</span>}
          </legend>
          {problem !== undefined && <Problem said={problem} />}
          <TryFields fields={kind.fields} values={values} problems={problems} onValue={onValue} />
        </fieldset>
      );
    }
    const common = {
      label: name,
      optional: !required,
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
      return <TextArea key={pointer} {...common} rows={3} placeholder="One item per line" onText={onText} />;
    }
    const number = kind.is === 'number' || kind.is === 'integer';
    return <TextInput key={pointer} {...common} inputMode={number ? 'decimal' : 'text'} onText={onText} />;
  });
}

/** Null: a text field, not a select. */
function optionsOf(kind: TryKind): (readonly [string, string])[] | null {
  const none = ['', 'Not sent'] as const;
  if (kind.is === 'boolean') return [none, ['true', 'true'], ['false', 'false']];
  if (kind.is !== 'choice') return null;
  return [none, ...kind.choices.map((choice) => [String(choice), String(choice)] as const)];
}
