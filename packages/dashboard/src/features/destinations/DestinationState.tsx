import { Mark } from '../../parts/Sign.tsx';
import { useNow } from '../../parts/Time.tsx';
import type { Destination } from './api.ts';
import { stateHint, stateWords } from './messages.ts';

/** The state of a destination, with what it is about on hover. */
export function DestinationState({ destination }: { destination: Destination }) {
  const now = useNow();
  return (
    <span title={stateHint(destination)}>
      <Mark {...stateWords(destination, now)} />
    </span>
  );
}
