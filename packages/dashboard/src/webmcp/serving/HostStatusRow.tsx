import type { ComponentType } from 'react';
import { IconCheck, IconCross } from '../../parts/icons.tsx';
import { Time } from '../../parts/Time.tsx';
import { IconClock, IconQuestion } from '../icons.tsx';
import type { HostStatus } from '../types.ts';
import { type StateWords, wordsFor } from './states.ts';

const SIGNS: Readonly<Record<StateWords['tone'], ComponentType>> = {
  good: IconCheck,
  bad: IconCross,
  wait: IconClock,
  unknown: IconQuestion,
};

export function HostStatusRow({ status }: { status: HostStatus }) {
  const { host, url, state, detail, cache, checked_at } = status;
  const { tone, title, action } = wordsFor(state);
  const Sign = SIGNS[tone];
  return (
    <li className="host-state" data-tone={tone}>
      <span className="host-sign">
        <Sign />
      </span>
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
