import type { Property } from '../../../api/types.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { dateTime } from '../../../format/time.ts';
import { visible } from '../../../format/visible.ts';
import { IconInfo, IconWarning } from '../../../parts/icons.tsx';
import { Sign } from '../../../parts/Sign.tsx';
import { Time, useTimeZone } from '../../../parts/Time.tsx';
import type { Alert, Told } from '../api.ts';
import { CHANNEL_NAMES, isNews, lastedText, markOf, timesBaseline, toldText } from '../messages.ts';
import { AcknowledgeControl } from './AcknowledgeControl.tsx';
import { AlertLink } from './AlertLink.tsx';

/** An alert: what, since when, how far beyond its baseline, and the notifications. Its text has the figures. */
export function AlertRow({ property, alert }: { property: Property; alert: Alert }) {
  const times = timesBaseline(alert.figures);
  const mark = markOf(alert);
  return (
    <li className="alert-row" data-state={alert.state}>
      <span className="alert-icon" data-tone={mark?.tone}>
        {isNews(alert) ? <IconInfo label="Info" /> : <IconWarning label={mark?.title ?? 'Problem'} />}
      </span>
      <div className="alert-title">
        <h3 className="break">{visible(alert.title)}</h3>
        {times !== null && (
          <span className="alert-times number">
            <Term name="baseline">{times}× the usual</Term>
          </span>
        )}
      </div>
      <p className="quiet alert-when">
        {alert.resolved_at === null ? (
          <>
            since <Time value={alert.at} form="short" />
          </>
        ) : (
          <>
            <Time value={alert.at} form="short" />
            {!isNews(alert) && <Lasted from={alert.at} to={alert.resolved_at} />}
          </>
        )}
      </p>
      <p className="alert-text break">{visible(alert.text)}</p>
      <AlertLink property={property} alert={alert} />
      <AcknowledgeControl property={property} alert={alert} />
      {alert.sent.length > 0 && (
        <ul className="alert-told" aria-label={`Messages: ${alert.title}`}>
          {alert.sent.map((told) => (
            <ToldLine key={`${told.channel}/${told.phase}/${told.at}`} told={told} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** How long a problem held; the end on hover. News has no end that anyone waits for. */
function Lasted({ from, to }: { from: string; to: string }) {
  const timeZone = useTimeZone() ?? undefined;
  const end = Date.parse(to);
  return (
    <span title={`Until ${dateTime(end, timeZone)}`}> · lasted {lastedText(end - Date.parse(from))}</span>
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
