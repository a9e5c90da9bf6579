import type { ReactNode } from 'react';
import { Labelled, type Said } from './Labelled.tsx';

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
