import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { IconInfo, IconWarning } from './icons.tsx';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A labelled text field; hint and error are linked to it for screen readers. */
export function Field({ label, hint, error, className, ...input }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={`input ${className ?? ''}`}
        aria-invalid={error !== undefined}
        {...(described === '' ? {} : { 'aria-describedby': described })}
      />
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
  /** Shown beside the label: `optional`, a count. */
  note?: ReactNode;
  hint?: ReactNode;
  problem?: Said | undefined;
  children: (control: ControlProps) => ReactNode;
}

export function Labelled({ label, note, hint, problem, children }: LabelledProps) {
  const id = useId();
  const described = [problem === undefined ? '' : `${id}-problem`, hint === undefined ? '' : `${id}-hint`]
    .filter((part) => part !== '')
    .join(' ');
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {note !== undefined && <span className="field-note">{note}</span>}
      </div>
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
