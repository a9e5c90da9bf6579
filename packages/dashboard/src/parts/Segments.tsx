import { useId } from 'react';

interface SegmentsProps<T extends string> {
  legend: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  onChoose: (value: T) => void;
}

/** A few exclusive choices side by side; radio buttons underneath. */
export function Segments<T extends string>({ legend, value, options, onChoose }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option} data-chosen={option === value}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChoose(option)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
