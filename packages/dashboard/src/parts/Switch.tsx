import { type ReactNode, useId } from 'react';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  on: boolean;
  onSwitch: (on: boolean) => void;
}

/** Yes or no; a checkbox underneath, so that keyboard and screen reader need no line of ours. */
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
