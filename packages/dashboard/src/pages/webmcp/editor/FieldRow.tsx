import { useEffect, useId, useRef, useState } from 'react';
import { IconCross } from '../../../parts/icons.tsx';
import { Problem } from '../../../parts/Labelled.tsx';
import { type Field, type FieldKind, isObject, kindOf, withKeyword, withKind } from '../model/fields.ts';
import { atKeyword, type InnerProblem, ofNoRow } from '../model/problems.ts';
import { FieldLimits, LIMIT_KEYWORDS } from './FieldLimits.tsx';
import { FieldRows } from './FieldRows.tsx';
import { KIND_NAMES, KINDS } from './kinds.ts';

interface FieldRowProps {
  field: Field;
  /** Just added: its name is written first. */
  fresh: boolean;
  /** What is wrong with its name. */
  mistake: string | undefined;
  problems: readonly InnerProblem[];
  onField: (field: Field) => void;
  onRemove: () => void;
}

export function FieldRow({ field, fresh, mistake, problems, onField, onRemove }: FieldRowProps) {
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
          placeholder="What it means, in one sentence for the agent"
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

/** Those that neither a limit of the row nor a row of its group shows. */
function ownProblems(problems: readonly InnerProblem[], inner: Field['inner']): readonly InnerProblem[] {
  const here = ofNoRow(
    problems,
    (inner ?? []).map(({ name }) => name),
  );
  return here.filter(
    ({ inner: pointer }) => !LIMIT_KEYWORDS.some((keyword) => pointer.startsWith(`/${keyword}`)),
  );
}
