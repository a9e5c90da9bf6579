import { useId, useState } from 'react';
import { actorName } from '../../features/people/ActorName.tsx';
import type { AuditEntry } from '../../features/people/api.ts';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { IconChevronDown } from '../../parts/icons.tsx';
import { Time } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { useSubjectNames } from './api.ts';
import { partOf, REPLACED, unsaid, valueText } from './changes.ts';
import { ZONE, zoneName } from './days.ts';
import { type SubjectKind, sentenceOf, splitSubject } from './sentences.ts';
import '../../parts/list/stack-table.css';

interface AuditTableProps {
  items: readonly AuditEntry[];
  /** The rows are of the previous filters. */
  stale: boolean;
  onActor: (actor: string) => void;
}

export function AuditTable({ items, stale, onActor }: AuditTableProps) {
  const names = useSubjectNames();
  return (
    <div className="card table-card" data-stale={stale} aria-busy={stale}>
      <table className="table stack-table audit-table" aria-label="Audit log">
        <thead>
          <tr>
            <th scope="col">When ({zoneName(ZONE)})</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Details</th>
            <th scope="col">
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <EntryRows key={entry.id} entry={entry} names={names} onActor={onActor} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface EntryRowsProps {
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
  onActor: (actor: string) => void;
}

/** An entry, and below it what is there to be looked up. */
function EntryRows({ entry, names, onActor }: EntryRowsProps) {
  const { at, actor, actor_name, action, subject, subject_name, request_id, changes: all } = entry;
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  const changes = unsaid(all, action, subject_name ?? names.get(splitSubject(subject).id));
  const isFolded = isWhole(changes);
  const list = changes.length > 0 && <Changes changes={changes} names={names} />;
  const toggle = () => setOpen(!isOpen);
  return (
    <>
      <tr data-open={isOpen}>
        <td className="cell-when">
          <Time value={at} form="short" />
        </td>
        <th scope="row">
          <button
            type="button"
            className="link-button"
            title="Show only changes by this actor"
            onClick={() => onActor(actor)}
          >
            {actorName(actor.replace(/^root:.*/, 'root'), actor_name)}
          </button>
        </th>
        <td className="cell-what">
          <What action={action} actor={actor} subject={subject} name={subject_name} names={names} />
        </td>
        <td className="cell-details">
          {actor.startsWith('root:') && (
            <span className="cell-detail">
              Session <code>{actor.slice('root:'.length)}</code>
            </span>
          )}
          {isFolded ? <span className="cell-detail">{counted(changes.length, 'setting')}</span> : list}
        </td>
        <td className="cell-more">
          {(isFolded || request_id !== null) && (
            <button
              type="button"
              className="icon-button more-button"
              aria-label="More of this entry"
              aria-expanded={isOpen}
              aria-controls={moreId}
              onClick={toggle}
            >
              <IconChevronDown />
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={moreId} className="audit-more">
          <td colSpan={COLUMNS}>
            {isFolded && list}
            {request_id !== null && (
              <p className="identifier">
                <span className="quiet" title="As in the service’s log">
                  Request ID
                </span>
                <code className="break">{request_id}</code>
                <CopyButton text={request_id} what="the request ID" />
              </p>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

type Changed = AuditEntry['changes'];
const COLUMNS = 5;

/** What a new thing began with, or one that is gone had, is there to be looked up; what changed is read. */
const isWhole = (changes: Changed): boolean =>
  changes.length > 1 &&
  (changes.every(({ before }) => before === null) || changes.every(({ after }) => after === null));

/** Values before and after. Both are untrusted and rendered as text. */
function Changes({ changes, names }: { changes: Changed; names: ReadonlyMap<string, string> }) {
  return (
    <ul className="audit-changes" aria-label="Changes">
      {changes.map(({ what, before, after }) => (
        <li key={what} className="cell-detail break">
          {visible(partOf(what, names))}
          {/* Of a secret there is no value: that it was replaced is in the sentence. */}
          {after !== REPLACED && (
            <>
              :{' '}
              {before !== null && (
                <del>
                  <Value what={what} of={before} />
                </del>
              )}
              {before !== null && ' → '}
              <ins>
                <Value what={what} of={after} />
              </ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** As the API writes times. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

interface ValueProps {
  what: string;
  of: AuditEntry['changes'][number]['after'];
}

function Value({ what, of }: ValueProps) {
  const sourceName = useSourceName();
  if (of === null) return 'none';
  if (typeof of === 'boolean') return of ? 'on' : 'off';
  if (typeof of === 'number') return of.toLocaleString('en');
  return INSTANT.test(of) ? <Time value={of} form="date" /> : visible(valueText(what, of, sourceName));
}

interface WhatProps {
  action: string;
  actor: string;
  subject: string;
  /** Names given by the service. */
  name: string | null;
  names: ReadonlyMap<string, string>;
}

function What({ action, actor, subject, name, names }: WhatProps) {
  const { id, besides } = splitSubject(subject);
  if (action === 'member.added' && actor === `person:${id}`) return 'joined';
  const { text, of } = sentenceOf(action);
  // "Their" in a sentence means the actor, unless the admin token acted for a person.
  const whose = of === 'none' && actor !== `person:${id}` ? names.get(id) : undefined;
  return (
    <span title={`${action} · ${subject}`}>
      {text}
      {whose !== undefined && (
        <>
          : <strong>{whose}</strong>
        </>
      )}
      {of !== 'none' && ' '}
      {of !== 'none' && <Subject id={id} of={of} name={name ?? names.get(id)} />}
      {besides !== '' && <code className="break"> {besides}</code>}
    </span>
  );
}

/** An entry without a name is identified by the beginning of its id; a custom bot, by its token. */
const SHORT_ID = 8;
const GONE: Partial<Readonly<Record<SubjectKind, string>>> = {
  property: 'a deleted property',
  person: 'a former member',
  invitation: 'a person',
};

function Subject({ id, of, name }: { id: string; of: SubjectKind; name: string | undefined }) {
  if (name !== undefined) return <strong>{name}</strong>;
  const gone = GONE[of];
  return (
    <>
      {gone !== undefined && `${gone} `}
      <code className="quiet">{of === 'custom_bot' ? id : id.slice(0, SHORT_ID)}</code>
    </>
  );
}
