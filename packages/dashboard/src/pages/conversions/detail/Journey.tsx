import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { Conversion, Touch } from '../../../features/conversions/api.ts';
import { readablePath, visible } from '../../../format/visible.ts';
import { Time } from '../../../parts/Time.tsx';
import { channelName, missingJourney } from '../messages.ts';

interface JourneyProps {
  touches: readonly Touch[];
  conversion: Pick<Conversion, 'at' | 'session_matched' | 'match_reason' | 'channel'>;
}

/** The visits before the conversion as a timeline, earliest first. The one with the credit has a filled star and a label. */
export function Journey({ touches, conversion }: JourneyProps) {
  if (touches.length === 0) {
    return <p className="quiet">{missingJourney(conversion)}</p>;
  }
  const sorted = [...touches].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol className="journey">
      {sorted.map((touch, index) => (
        <li key={touch.id} className="journey-stop" data-winner={touch.winner}>
          <Stop shape={touch.winner ? 'star' : 'ring'} />
          <div className="journey-body">
            <p className="journey-head">
              <strong>{channelName(touch.channel)}</strong>
              {touch.paid && <span className="tag">paid</span>}
              {touch.winner && <span className="journey-winner">earned the credit</span>}
            </p>
            {touch.channel !== 'direct' && <p className="break">{visible(nameOfTouch(touch))}</p>}
            <p className="quiet break">
              <span className="mono">{readablePath(landingOf(touch.landing))}</span>
              {touch.referrer_host !== '' && ` from ${visible(touch.referrer_host)}`}
              {touch.click_ids.length > 0 && ` · ${touch.click_ids.join(', ')}`}
            </p>
            <p className="quiet">
              <Time value={touch.at} form="date" />
            </p>
            <p className="journey-gap">{apart(touch.at, sorted[index + 1]?.at ?? conversion.at)}</p>
          </div>
        </li>
      ))}
      <li className="journey-stop" data-end="true">
        <Stop shape="flag" />
        <div className="journey-body">
          <p className="journey-head">
            <strong>Conversion</strong>
          </p>
          <p className="quiet">
            <Time value={conversion.at} form="date" />
          </p>
        </div>
      </li>
    </ol>
  );
}

function nameOfTouch({ source, medium, campaign, platform }: Touch): string {
  const origin = [source, medium].filter((part) => part !== '').join(' / ');
  return [campaign, origin, platform ?? ''].filter((part) => part !== '').join(' · ');
}

const SHAPES = {
  ring: <circle cx="8" cy="8" r="4" className="stop-ring" />,
  star: (
    <path className="stop-star" d="M8 .9l2.1 4.5 4.9.6-3.6 3.4 1 4.9L8 11.9 3.6 14.3l1-4.9L1 6l4.9-.6z" />
  ),
  flag: <path className="stop-flag" d="M4 14.5V2h8.5l-2.3 3.2 2.3 3.3H4" />,
} as const;

function Stop({ shape }: { shape: keyof typeof SHAPES }) {
  return (
    <svg className="stop" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

/** Units of the time between two visits. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

/** The time between two visits: `3 days later`. A browser's clock may be slightly ahead. */
export function apart(from: string, to: string): string {
  const distance = Date.parse(to) - Date.parse(from);
  if (!Number.isFinite(distance)) return '';
  const unit = UNITS.find(([, ms]) => distance >= ms);
  if (unit === undefined) return 'at once';
  const count = Math.floor(distance / unit[1]);
  return `${count} ${unit[0]}${count === 1 ? '' : 's'} later`;
}

export function landingOf(landing: Touch['landing']): string {
  return `${landing.host}${landing.path}`;
}
