import { isObject } from '@ghostlight/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Problem } from '../../../parts/Field.tsx';
import { IconCross, IconPlus } from '../../../parts/icons.tsx';
import {
  type Field,
  type FieldForm,
  type FieldKind,
  fieldMistakes,
  freeName,
  kindOf,
  withKeyword,
  withKind,
} from '../model/fields.ts';
import { atKeyword, type InnerProblem, ofNoRow, ofRow } from '../model/problems.ts';
import { FieldLimits, KIND_NAMES, KINDS, LIMIT_KEYWORDS } from './FieldLimits.tsx';

interface FieldRowsProps {
  form: FieldForm;
  problems: readonly InnerProblem[];
  onForm: (form: FieldForm) => void;
  /** The group of the rows; absent for the tool's own inputs. */
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
    <div className="inputs">
      {fields.length === 0 && (
        <p className="inputs-empty quiet">{group === undefined ? 'No input.' : 'Empty.'}</p>
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
      <div className="inputs-foot">
        <button ref={addButton} type="button" className="button button-small" onClick={add}>
          <IconPlus />
          Add input{group !== undefined && ` to ${group}`}
        </button>
        <label className="check inputs-closed">
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
          <span>No other inputs{group !== undefined && ` in ${group}`}</span>
        </label>
      </div>
    </div>
  );
}

interface FieldRowProps {
  field: Field;
  /** Just added: its name gets the focus. */
  fresh: boolean;
  /** The problem with its name. */
  mistake: string | undefined;
  problems: readonly InnerProblem[];
  onField: (field: Field) => void;
  onRemove: () => void;
}

/** A row of kind `object` contains rows of its own. */
function FieldRow({ field, fresh, mistake, problems, onField, onRemove }: FieldRowProps) {
  const id = useId();
  const { name, required, schema, inner } = field;
  const kind = kindOf(schema);
  const description = isObject(schema) ? schema['description'] : undefined;
  const label = name === '' ? 'unnamed input' : name;
  const atLimits = LIMIT_KEYWORDS.some((keyword) => atKeyword(problems, keyword) !== undefined);
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fresh) nameInput.current?.select();
  }, [fresh]);
  const [opened, setOpened] = useState(false);
  const open = opened || atLimits;
  const own = ownProblems(problems, inner);
  const setKind = (next: FieldKind) => {
    if (next === 'other') return;
    onField({ ...field, schema: withKind(schema, next), inner: next === 'object' ? [] : null });
  };
  return (
    <li
      className="row"
      aria-label={label}
      data-invalid={mistake !== undefined || problems.some(({ severity }) => severity === 'error')}
    >
      <div className="row-main">
        <input
          ref={nameInput}
          className="input mono"
          aria-label="Name of the input"
          aria-invalid={mistake !== undefined}
          {...(mistake === undefined ? {} : { 'aria-describedby': `${id}-name` })}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          value={name}
          onChange={(event) => onField({ ...field, name: event.target.value })}
        />
        <select
          className="input select"
          aria-label={`Type of ${label}`}
          value={kind}
          onChange={(event) => setKind(KINDS.find((one) => one === event.target.value) ?? 'other')}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {KIND_NAMES[one]}
            </option>
          ))}
          {kind === 'other' && <option value="other">{KIND_NAMES.other}</option>}
        </select>
        <label className="check">
          <input
            type="checkbox"
            checked={required}
            onChange={(event) => onField({ ...field, required: event.target.checked })}
          />
          <span>
            Required<span className="visually-hidden"> {label}</span>
          </span>
        </label>
        <button type="button" className="icon-button" aria-label={`Remove ${label}`} onClick={onRemove}>
          <IconCross />
        </button>
      </div>
      {mistake !== undefined && <Problem id={`${id}-name`} said={{ message: mistake, severity: 'error' }} />}
      {own.map((problem) => (
        <Problem key={`${problem.inner} ${problem.message}`} said={problem} />
      ))}
      {isObject(schema) && (
        <input
          className="input row-about"
          aria-label={`Description of ${label}`}
          placeholder="Description for the agent, in one sentence"
          maxLength={1024}
          value={typeof description === 'string' ? description : ''}
          onChange={(event) => {
            const text = event.target.value;
            onField({ ...field, schema: withKeyword(schema, 'description', text === '' ? undefined : text) });
          }}
        />
      )}
      {kind === 'object' && inner !== null && isObject(schema) && (
        <div className="row-group">
          <FieldRows
            form={{ base: schema, fields: inner }}
            problems={problems}
            group={label}
            onForm={({ base, fields }) => onField({ ...field, schema: base, inner: fields })}
          />
        </div>
      )}
      {kind !== 'object' && kind !== 'other' && kind !== 'boolean' && isObject(schema) && (
        <details className="row-limits" open={open} onToggle={(event) => setOpened(event.currentTarget.open)}>
          <summary>
            Limits<span className="visually-hidden"> of {label}</span>
          </summary>
          <FieldLimits
            kind={kind}
            schema={schema}
            problems={problems}
            onSchema={(next) => onField({ ...field, schema: next })}
          />
        </details>
      )}
    </li>
  );
}

/** Problems that are shown neither at a limit of the row nor in its group. */
function ownProblems(problems: readonly InnerProblem[], inner: Field['inner']): readonly InnerProblem[] {
  const here = ofNoRow(
    problems,
    (inner ?? []).map(({ name }) => name),
  );
  return here.filter(
    ({ inner: pointer }) => !LIMIT_KEYWORDS.some((keyword) => pointer.startsWith(`/${keyword}`)),
  );
}
