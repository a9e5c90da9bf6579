import { Sign } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import { CHANNEL_NAMES, toldText } from '../messages.ts';
import type { Told } from '../types.ts';

export function ToldLine({ told }: { told: Told }) {
  return (
    <li data-ok={told.ok}>
      <Sign tone={told.ok === null ? 'wait' : told.ok ? 'good' : 'bad'} />
      <span className="break">
        <strong>{told.name}</strong>
        {told.name === CHANNEL_NAMES[told.type] ? '' : ` (${CHANNEL_NAMES[told.type]})`} {toldText(told)}{' '}
        <span className="quiet">
          <Time value={told.at} form="ago" />
        </span>
      </span>
    </li>
  );
}
