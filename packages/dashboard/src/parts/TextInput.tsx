import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { Labelled, type Said, WithUnit } from './Field.tsx';

interface TextInputProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value' | 'className'> {
  label: string;
  value: string;
  onText: (text: string) => void;
  optional?: boolean;
  note?: ReactNode;
  /** At the end of a number: `per minute`. */
  unit?: string;
  hint?: ReactNode;
  problem?: Said | undefined;
  /** For names, URLs and patterns: a monospaced font, and no autocorrection. */
  code?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function TextInput({
  label,
  value,
  onText,
  optional = false,
  note,
  unit,
  hint,
  problem,
  code,
  ref,
  ...input
}: TextInputProps) {
  const base = unit === undefined ? 'input' : '';
  return (
    <Labelled
      label={label}
      optional={optional}
      unit={unit}
      {...(note === undefined ? {} : { note })}
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
    >
      {(control) => (
        <WithUnit id={control.id} unit={unit} isInvalid={control['aria-invalid']}>
          <input
            {...(code === true ? { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } : {})}
            {...input}
            {...control}
            ref={ref}
            className={code === true ? `${base} mono` : base}
            value={value}
            onChange={(event) => onText(event.target.value)}
          />
        </WithUnit>
      )}
    </Labelled>
  );
}

interface TextAreaProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  optional?: boolean;
  note?: ReactNode;
  hint?: ReactNode;
  problem?: Said | undefined;
  code?: boolean;
}

export function TextArea({
  label,
  value,
  onText,
  rows = 3,
  optional = false,
  note,
  hint,
  problem,
  code,
  ...area
}: TextAreaProps) {
  return (
    <Labelled
      label={label}
      optional={optional}
      {...(note === undefined ? {} : { note })}
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
    >
      {(control) => (
        <textarea
          {...area}
          {...control}
          rows={rows}
          spellCheck={code !== true}
          className={code === true ? 'input textarea mono' : 'input textarea'}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Labelled>
  );
}
