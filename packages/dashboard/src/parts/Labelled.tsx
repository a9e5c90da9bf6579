import { type ReactNode, useId } from 'react';
import { IconInfo, IconWarning } from './icons.tsx';

export interface Said {
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** What ties a control to its label, its hint and what is wrong with it. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

interface LabelledProps {
  label: string;
  /** Stands beside the label: `optional`, a count. */
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

/** A sentence about what is wrong, with a sign beside its colour. */
export function Problem({ said: { message, severity }, id }: { said: Said; id?: string }) {
  return (
    <p className="problem" data-severity={severity} {...(id === undefined ? {} : { id })}>
      {severity === 'error' ? <IconWarning label="Error" /> : <IconInfo label="Warning" />}
      <span className="break">{message}</span>
    </p>
  );
}
