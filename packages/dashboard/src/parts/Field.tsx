import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { IconInfo, IconWarning } from './icons.tsx';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: ReactNode;
  /** It may stay empty. */
  optional?: boolean;
  /** At the end of a number: `days`. */
  unit?: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** The ids of the parts of a field that describe it: `x-unit x-hint`. @param has by name */
function partsOf(id: string, has: Readonly<Record<string, boolean>>): string {
  return Object.keys(has)
    .filter((name) => has[name])
    .map((name) => `${id}-${name}`)
    .join(' ');
}

/** A labelled text field; hint and error are linked to it for screen readers. */
export function Field({ label, optional = false, unit, hint, error, className, ...input }: FieldProps) {
  const id = useId();
  const described = partsOf(id, {
    optional,
    unit: unit !== undefined,
    hint: hint !== undefined,
    error: error !== undefined,
  });
  return (
    <div className="field">
      <FieldHead id={id} label={label} optional={optional} />
      <WithUnit id={id} unit={unit} isInvalid={error !== undefined}>
        <input
          {...input}
          id={id}
          className={`${unit === undefined ? 'input' : ''} ${className ?? ''}`}
          aria-invalid={error !== undefined}
          {...(described === '' ? {} : { 'aria-describedby': described })}
        />
      </WithUnit>
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldHeadProps {
  /** Of the field. */
  id: string;
  label: ReactNode;
  optional: boolean;
  note?: ReactNode;
}

/** The label, whether the field may stay empty, and a note at the end of the line. */
function FieldHead({ id, label, optional, note }: FieldHeadProps) {
  return (
    <div className="field-head">
      <label htmlFor={id}>{label}</label>
      {/* Not within the label: screen readers have it as a description. */}
      {optional && (
        <span id={`${id}-optional`} className="optional">
          optional
        </span>
      )}
      {note !== undefined && <span className="field-note">{note}</span>}
    </div>
  );
}

interface WithUnitProps {
  /** Of the field. */
  id: string;
  unit: string | undefined;
  isInvalid: boolean;
  children: ReactNode;
}

/** A number with its unit in the same frame; the unit describes the field for screen readers. Without one, the field alone. */
export function WithUnit({ id, unit, isInvalid, children }: WithUnitProps) {
  if (unit === undefined) return children;
  return (
    <div className="input with-unit" data-invalid={isInvalid}>
      {children}
      <span id={`${id}-unit`}>{unit}</span>
    </div>
  );
}

export interface Said {
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** Attributes that link a control to its label, hint and problem. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

interface LabelledProps {
  label: string;
  optional?: boolean;
  /** At the end of the label's line: a count. */
  note?: ReactNode;
  /** At the end of a number: `per minute`. The control is wrapped in `WithUnit`. */
  unit?: string | undefined;
  hint?: ReactNode;
  problem?: Said | undefined;
  children: (control: ControlProps) => ReactNode;
}

export function Labelled({ label, optional = false, note, unit, hint, problem, children }: LabelledProps) {
  const id = useId();
  const described = partsOf(id, {
    optional,
    unit: unit !== undefined,
    problem: problem !== undefined,
    hint: hint !== undefined,
  });
  return (
    <div className="field">
      <FieldHead id={id} label={label} optional={optional} note={note} />
      {children({
        id,
        'aria-invalid': problem?.severity === 'error',
        ...(described === '' ? {} : { 'aria-describedby': described }),
      })}
      {problem !== undefined && <Problem id={`${id}-problem`} said={problem} />}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A problem as text, with a sign in addition to its colour. */
export function Problem({ said: { message, severity }, id }: { said: Said; id?: string }) {
  return (
    <p className="problem" data-severity={severity} {...(id === undefined ? {} : { id })}>
      {severity === 'error' ? <IconWarning label="Error" /> : <IconInfo label="Warning" />}
      <span className="break">{message}</span>
    </p>
  );
}
