import { Field } from '../../../parts/Field.tsx';
import { RATE } from './rate.ts';

interface RateFieldProps {
  value: string;
  onText: (text: string) => void;
  error: string | undefined;
  autoFocus?: boolean;
}

export function RateField({ value, onText, error, autoFocus = false }: RateFieldProps) {
  return (
    <Field
      label="Requests a minute"
      required
      autoFocus={autoFocus}
      inputMode="numeric"
      pattern="[0-9]*"
      className="number"
      value={value}
      onChange={(event) => onText(event.target.value)}
      error={error}
      hint={`${RATE.least} to ${RATE.most.toLocaleString('en')}. As many may come at once; what comes beyond is answered 429 with the time to wait, and is not counted.`}
    />
  );
}
