import { useRef, useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { IconPlus } from '../../../parts/icons.tsx';
import { type Field, type FieldForm, fieldMistakes, freeName, withKeyword } from '../model/fields.ts';
import { type InnerProblem, ofRow } from '../model/problems.ts';
import { FieldRow } from './FieldRow.tsx';

interface FieldRowsProps {
  form: FieldForm;
  problems: readonly InnerProblem[];
  onForm: (form: FieldForm) => void;
  /** The group that the rows belong to; absent for the tool's own. */
  group?: string;
}

export function FieldRows({ form, problems, onForm, group }: FieldRowsProps) {
  const announce = useAnnounce();
  const { base, fields } = form;
  const mistakes = fieldMistakes(fields);
  const change = (next: readonly Field[]) => onForm({ base, fields: next });
  const [fresh, setFresh] = useState<string | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const add = () => {
    const name = freeName(fields, 'input');
    setFresh(name);
    change([...fields, { id: name, name, required: true, schema: { type: 'string' }, inner: null }]);
    announce(`Added ${name}`);
  };
  return (
    <div className="rows">
      {fields.length === 0 && (
        <p className="rows-empty quiet">
          {group === undefined ? 'It takes no input.' : 'Nothing in it yet.'}
        </p>
      )}
      <ol className="row-list" aria-label={group === undefined ? 'Inputs' : `Inputs of ${group}`}>
        {fields.map((field, index) => (
          <FieldRow
            key={field.id}
            field={field}
            fresh={field.id === fresh}
            mistake={mistakes.get(field.id)}
            problems={mistakes.has(field.id) ? [] : ofRow(problems, field.name)}
            onField={(next) => change(fields.map((one) => (one.id === field.id ? next : one)))}
            onRemove={() => {
              change(fields.toSpliced(index, 1));
              announce(`Removed ${field.name}`);
              addButton.current?.focus();
            }}
          />
        ))}
      </ol>
      <div className="rows-foot">
        <button ref={addButton} type="button" className="button button-small" onClick={add}>
          <IconPlus />
          Add input{group !== undefined && ` to ${group}`}
        </button>
        <label className="check rows-closed">
          <input
            type="checkbox"
            checked={base['additionalProperties'] === false}
            onChange={(event) =>
              onForm({
                base: withKeyword(base, 'additionalProperties', event.target.checked ? false : undefined),
                fields,
              })
            }
          />
          <span>Accept nothing else{group !== undefined && ` in ${group}`}</span>
        </label>
      </div>
    </div>
  );
}
