import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { PAGES } from '../../../features/page/pages.tsx';
import { visible } from '../../../format/visible.ts';
import { IconArrow, IconInfo, IconWarning } from '../../../parts/icons.tsx';
import { Sign } from '../../../parts/Sign.tsx';
import { Time, TimeRange } from '../../../parts/Time.tsx';
import type { Alert, Told } from '../api.ts';
import { CHANNEL_NAMES, isNews, markOf, targetOf, timesBaseline, toldText } from '../messages.ts';
import { AcknowledgeControl } from './AcknowledgeControl.tsx';

/** An alert: what, since when, how far beyond its baseline, and the notifications. Its text has the figures. */
export function AlertRow({ property, alert }: { property: Property; alert: Alert }) {
  const times = timesBaseline(alert.figures);
  const mark = markOf(alert);
  return (
    <li className="alert-row" data-state={alert.state}>
      <div className="alert-line">
        <span className="alert-icon" data-tone={mark?.tone}>
          {isNews(alert) ? <IconInfo label="Info" /> : <IconWarning label={mark?.title ?? 'Problem'} />}
        </span>
        <h3 className="break">{visible(alert.title)}</h3>
        <p className="quiet alert-when">
          {alert.resolved_at === null ? (
            <>
              since <Time value={alert.at} form="short" />
            </>
          ) : (
            <TimeRange from={alert.at} to={alert.resolved_at} />
          )}
        </p>
      </div>
      <div className="alert-line alert-body">
        <p className="alert-text break">{visible(alert.text)}</p>
        {times !== null && <p className="alert-times number">{times}</p>}
        <AlertLink property={property} alert={alert} />
      </div>
      <AcknowledgeControl property={property} alert={alert} />
      {alert.sent.length > 0 && (
        <ul className="alert-told" aria-label={`Notifications: ${alert.title}`}>
          {alert.sent.map((told) => (
            <ToldLine key={`${told.channel}/${told.phase}/${told.at}`} told={told} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** A link to the alert's report, with its filters and days. */
function AlertLink({ property, alert }: { property: Property; alert: Alert }) {
  const target = targetOf(alert.link);
  if (target === null) return null;
  const about = <span className="visually-hidden"> about: {alert.title}</span>;
  const common = { className: 'quiet-link alert-link' };
  if (target.to === 'destination')
    return (
      <Link
        {...common}
        to="/p/$propertyId/destinations/$destinationId"
        params={{ propertyId: property.id, destinationId: target.destinationId }}
      >
        Open the destination{about} <IconArrow />
      </Link>
    );
  if (target.to === 'quota')
    return (
      <Link
        {...common}
        to="/p/$propertyId/settings"
        params={{ propertyId: property.id }}
        search={{ view: 'data' }}
        hash="quota"
      >
        Open Settings{about} <IconArrow />
      </Link>
    );
  return (
    <Link
      {...common}
      to={`/p/$propertyId/${target.page}`}
      params={{ propertyId: property.id }}
      search={target.search}
    >
      Open {PAGES.find(({ name }) => name === target.page)?.label}
      {about} <IconArrow />
    </Link>
  );
}

function ToldLine({ told }: { told: Told }) {
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
