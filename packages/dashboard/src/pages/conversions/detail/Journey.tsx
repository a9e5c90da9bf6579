import referrers from '@ghostlight/core/data/referrers.json' with { type: 'json' };
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { Link } from '@tanstack/react-router';
import type { Conversion, Touch } from '../../../features/conversions/api.ts';
import { useProperty } from '../../../features/property/useProperty.ts';
import type { ReportSearch } from '../../../features/reports/search.ts';
import { compact } from '../../../format/search.ts';
import { readablePath, visible } from '../../../format/visible.ts';
import { Time, useTimeZone } from '../../../parts/Time.tsx';
import { channelName, missingJourney } from '../messages.ts';

interface JourneyProps {
  touches: readonly Touch[];
  /** Of the property: paths on it need no host. */
  domain: string;
  conversion: Pick<Conversion, 'at' | 'session_matched' | 'match_reason' | 'channel'>;
}

/** The visits before the conversion as a timeline, earliest first. The one with the credit has a filled star and a label. */
export function Journey({ touches, domain, conversion }: JourneyProps) {
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
            <p className="journey-head break">
              <strong>{originOf(touch)}</strong>
              <span aria-hidden="true">→</span>
              <span className="visually-hidden">to</span>
              <LandingLink landing={touch.landing} domain={domain} />
            </p>
            <p className="journey-about break">
              {[
                channelName(touch.channel),
                ...(touch.paid ? ['paid'] : []),
                visible(campaignOf(touch)),
                touch.click_ids.join(', '),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
              {touch.winner && <span className="journey-winner">earned the credit</span>}
            </p>
            <p className="quiet">
              <At value={touch.at} />
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
            <At value={conversion.at} />
          </p>
        </div>
      </li>
    </ol>
  );
}

/** The page that a visit landed on, as a link to its report. */
function LandingLink({ landing, domain }: Pick<Touch, 'landing'> & Pick<JourneyProps, 'domain'>) {
  const property = useProperty();
  const text = <span className="mono">{readablePath(landingOf(landing, domain))}</span>;
  if (property === null || !landing.path.startsWith('/')) return text;
  const { host, path: page } = landing;
  return (
    <Link
      to="/p/$propertyId/pages"
      params={{ propertyId: property.id }}
      search={compact<ReportSearch>({ page, host, group: 'bot_page' })}
      className="report-link"
      title="Show this page"
    >
      {text}
    </Link>
  );
}

/** A time with its zone, as the days of the page are in it. */
/** A time with its zone. */
export function At({ value }: { value: string }) {
  const timeZone = useTimeZone() ?? 'UTC';
  return (
    <>
      <Time value={value} form="date" /> {timeZone}
    </>
  );
}

const ENGINES = new Map(referrers.domains.map(({ domain, engine }) => [domain, engine]));

/** Where a visit came from: an AI engine by its name, else the source that its link or its referrer names. */
export function originOf({ source, referrer_host: host, channel }: OriginParts): string {
  const engine = ENGINES.get(host) ?? ENGINES.get(source);
  return engine ?? visible(source || host || channelName(channel));
}
type OriginParts = Pick<Touch, 'source' | 'referrer_host' | 'channel'>;

/** The rest of what its link says: `autumn · google / cpc` without the source, which is said already. */
function campaignOf({ campaign, medium, platform, channel }: Touch): string {
  // The medium of an AI engine is made up from its referrer.
  const shown = channel === 'ai_assistant' ? '' : medium;
  return [campaign, shown, platform ?? ''].filter((part) => part !== '').join(' · ');
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

/** A path of the property; on another host with the host. */
export function landingOf({ host, path }: Touch['landing'], domain: string): string {
  return host === domain ? path : `${host}${path}`;
}
