import { Mark } from '../../parts/Sign.tsx';
import { statusHint, statusWords } from './messages.ts';

/** The state of a delivery, with its meaning on hover. */
export function StateMark({ status }: { status: string }) {
  return (
    <span title={statusHint(status)}>
      <Mark {...statusWords(status)} />
    </span>
  );
}
