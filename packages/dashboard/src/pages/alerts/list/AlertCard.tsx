import type { Property } from '../../../api/types.ts';
import { visible } from '../../../format/visible.ts';
import { Mark } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import { figureLabel, figureText, isNews, stateMark } from '../messages.ts';
import type { Alert } from '../types.ts';
import { AlertLink } from './AlertLink.tsx';
import { ToldLine } from './ToldLine.tsx';

/** What, since when, how much against what is usual, who was told. */
export function AlertCard({ property, alert }: { property: Property; alert: Alert }) {
  const { figures } = alert;
  return (
    <li className="card alert-card" data-state={alert.state}>
      <div className="alert-head">
        {isNews(alert) ? <span className="tag">news</span> : <Mark {...stateMark(alert)} />}
        <h3 className="break">{visible(alert.title)}</h3>
        <p className="quiet alert-when">
          since <Time value={alert.at} form="date" />
          {alert.resolved_at !== null && (
            <>
              {' '}
              until <Time value={alert.resolved_at} form="date" />
            </>
          )}
        </p>
      </div>
      <p className="alert-text break">{visible(alert.text)}</p>
      <dl className="alert-figures">
        <div>
          <dt>{figureLabel(alert)}</dt>
          <dd className="number">{figureText(figures.now, figures.unit)}</dd>
        </div>
        {figures.usual !== null && (
          <div>
            <dt>Usual</dt>
            <dd className="number">{figureText(figures.usual, figures.unit)}</dd>
          </div>
        )}
        <div className="alert-way">
          <dt className="visually-hidden">Where to look</dt>
          <dd>
            <AlertLink property={property} alert={alert} />
          </dd>
        </div>
      </dl>
      {alert.sent.length > 0 && (
        <ul className="alert-told" aria-label={`Who was told of: ${alert.title}`}>
          {alert.sent.map((told) => (
            <ToldLine key={`${told.channel}/${told.phase}/${told.at}`} told={told} />
          ))}
        </ul>
      )}
    </li>
  );
}
