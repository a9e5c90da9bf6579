import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { Labelled, type Said } from './Field.tsx';

interface TextInputProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value' | 'className'> {
  label: string;
  value: string;
  onText: (text: string) => void;
  note?: ReactNode;
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
  note,
  hint,
  problem,
  code,
  ref,
  ...input
}: TextInputProps) {
  return (
    <Labelled
      label={label}
      {...(note === undefined ? {} : { note })}
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
    >
      {(control) => (
        <input
          {...(code === true ? { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } : {})}
          {...input}
          {...control}
          ref={ref}
          className={code === true ? 'input mono' : 'input'}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
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
  note,
  hint,
  problem,
  code,
  ...area
}: TextAreaProps) {
  return (
    <Labelled
      label={label}
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
