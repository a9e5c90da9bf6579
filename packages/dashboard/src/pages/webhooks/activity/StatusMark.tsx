import { Mark } from '../../../parts/Mark.tsx';
import { statusWords } from './messages.ts';

export function StatusMark({ status }: { status: string }) {
  return <Mark {...statusWords(status)} />;
}
