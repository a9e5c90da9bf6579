import type { ReactNode } from 'react';
import { Labelled, type Said } from './Field.tsx';

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  onChoose: (value: T) => void;
  optional?: boolean;
  /** One of the values is to be chosen: the empty one only asks for it. */
  required?: boolean;
  note?: ReactNode;
  hint?: ReactNode;
  problem?: Said | undefined;
}

export function Select<T extends string>({
  label,
  value,
  options,
  onChoose,
  optional = false,
  required = false,
  note,
  hint,
  problem,
}: SelectProps<T>) {
  return (
    <Labelled
      label={label}
      optional={optional}
      {...(note === undefined ? {} : { note })}
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
    >
      {(control) => (
        <select
          {...control}
          required={required}
          className="input select"
          value={value}
          onChange={(event) => {
            const chosen = options.find(([option]) => option === event.target.value)?.[0];
            if (chosen !== undefined) onChoose(chosen);
          }}
        >
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
