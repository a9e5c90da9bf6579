export interface FilterSelectProps<T extends string> {
  label: string;
  value: T | undefined;
  options: readonly (readonly [T, string])[];
  onChange: (value: T | undefined) => void;
}

/** The browser's own select: right on every phone, and nothing to learn. */
export function FilterSelect<T extends string>({ label, value, options, onChange }: FilterSelectProps<T>) {
  return (
    <select
      className="input select filter"
      aria-label={label}
      data-set={value !== undefined}
      value={value ?? ''}
      onChange={(event) => onChange(options.find(([name]) => name === event.target.value)?.[0])}
    >
      <option value="">{label}: all</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
