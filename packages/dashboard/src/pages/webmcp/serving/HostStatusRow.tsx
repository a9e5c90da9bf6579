import { Sign } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import type { HostStatus } from '../types.ts';
import { wordsFor } from './states.ts';

export function HostStatusRow({ status }: { status: HostStatus }) {
  const { host, url, state, detail, cache, checked_at } = status;
  const { tone, title, action } = wordsFor(state);
  return (
    <li className="host-state">
      <Sign tone={tone} />
      <div className="host-state-body">
        <p className="host-state-head">
          <a className="mono break" href={url} target="_blank" rel="noreferrer">
            {host}
          </a>
          <strong>{title}</strong>
        </p>
        {detail !== '' && <p className="host-detail break">{detail}</p>}
        {action !== '' && <p className="host-action">{action}</p>}
        <p className="quiet">
          Checked <Time value={checked_at} form="ago" />
          {cache !== null && cache !== '' && ` · cache: ${cache}`}
        </p>
      </div>
    </li>
  );
}
