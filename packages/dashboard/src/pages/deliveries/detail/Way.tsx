import type { DeliveryDetail } from '../../../features/deliveries/api.ts';
import { visible } from '../../../format/visible.ts';
import { Sign } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import { wayOf } from '../model/way.ts';
import { NextAt } from '../NextAt.tsx';

export function Way({ item }: { item: DeliveryDetail }) {
  return (
    <ol className="delivery-way">
      {wayOf(item).map(({ key, tone, title, at, detail, message, isAhead }) => (
        <li key={key} data-ahead={isAhead}>
          <Sign tone={tone} />
          <div>
            <p className="delivery-way-title">{title}</p>
            <p className="quiet">
              {at !== null && (isAhead ? <NextAt value={at} /> : <Time value={at} form="date" />)}
              {at !== null && detail !== '' && ' · '}
              {detail}
            </p>
            {message !== '' && <p className="break">{visible(message)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
