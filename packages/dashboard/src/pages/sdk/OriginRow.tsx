import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { ForWhoMay } from '../../features/session/ForWhoMay.tsx';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { Mark } from '../../parts/Sign.tsx';
import { Time } from '../../parts/Time.tsx';
import { sdkQueries } from './api.ts';
import type { EventOrigin } from './types.ts';
import { useEventSettings } from './useEventSettings.ts';

/** A host that events came from. One that is foreign has its mend beside it. */
export function OriginRow({ property, origin: one }: { property: Property; origin: EventOrigin }) {
  const settings = useQuery(sdkQueries.settings(property.id)).data;
  const { mutate, isPending } = useEventSettings(property.id);
  const { origin, foreign, accepted, refused } = one;
  return (
    <li>
      <div className="source-head">
        <code className="break">{origin === '' ? 'no origin named' : visible(origin)}</code>
        <Time value={one.last_at} form="ago" />
      </div>
      <p className="origin-marks">
        {foreign ? <Mark tone="unknown" title="Foreign" /> : <Mark tone="good" title="Allowed" />}
        <span className="quiet">
          {counted(accepted, 'event')}
          {refused > 0 && `, ${refused.toLocaleString('en')} refused`}
        </span>
      </p>
      {foreign && origin !== '' && (
        <>
          <p className="quiet">
            Is it yours? Then allow it. Else somebody has copied your snippet
            {refused > 0 ? '' : ', and what they send counts here'}.
          </p>
          <ForWhoMay>
            <button
              type="button"
              className="button button-small"
              aria-label={`Allow ${origin}`}
              disabled={isPending || settings === undefined}
              onClick={() => mutate({ allowed_origins: [...(settings?.allowed_origins ?? []), origin] })}
            >
              Allow it
            </button>
          </ForWhoMay>
        </>
      )}
    </li>
  );
}
