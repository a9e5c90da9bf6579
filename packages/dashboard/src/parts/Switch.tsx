import { type ReactNode, useId } from 'react';

interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** On or off; a checkbox underneath, for keyboard and screen readers. */
export function Switch({ label, hint, on, onSwitch }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={(event) => onSwitch(event.target.checked)}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface SegmentsProps<T extends string> {
  legend: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  /** Those that can't be chosen. */
  disabled?: readonly T[];
  /** Shown at them on hover, and read aloud; absent: it is said beside them. */
  whyDisabled?: string;
  onChoose: (value: T) => void;
}

/** A few exclusive choices side by side; radio buttons underneath. */
export function Segments<T extends string>({
  legend,
  value,
  options,
  disabled = [],
  whyDisabled,
  onChoose,
}: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option} data-chosen={option === value}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            disabled={disabled.includes(option)}
            title={disabled.includes(option) ? whyDisabled : undefined}
            onChange={() => onChoose(option)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
