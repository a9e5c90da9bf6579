import { intentName } from '../../format/names.ts';
import { Swatch } from '../charts/Legend.tsx';
import { VERDICT_SERIES } from './figures.ts';

/** In the order in which bars have them. */
const KEYS = ['training', 'search', 'on_demand'] as const;

/** What the colours of a list's bars by identity mean. @param isWhole the bars have spoofed visits */
export function IdentityKey({ isWhole }: { isWhole: boolean }) {
  return (
    <ul className="intent-key quiet" aria-label="Colours of the bars">
      {VERDICT_SERIES.filter(({ key }) => isWhole || key !== 'spoofed').map(({ key, name, paint }) => (
        <li key={key}>
          <Swatch paint={paint} /> {name.replace(/^\S+ /, '')}
        </li>
      ))}
    </ul>
  );
}

/** What the colours of a list's bars by intent mean. It goes where the bars go. */
export function IntentKey() {
  return (
    <ul className="intent-key quiet" aria-label="Colours of the bars">
      {KEYS.map((intent) => (
        <li key={intent}>
          <Swatch paint={intent} /> {intentName(intent)}
        </li>
      ))}
    </ul>
  );
}
