import { Mark } from '../../../parts/Sign.tsx';
import { statusWords } from './messages.ts';

export function StatusMark({ status }: { status: string }) {
  return <Mark {...statusWords(status)} />;
}
