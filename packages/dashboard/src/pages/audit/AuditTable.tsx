import { actorName } from '../../features/people/ActorName.tsx';
import type { AuditEntry } from '../../features/people/api.ts';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Time } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { useSubjectNames } from './api.ts';
import { partOf, valueText } from './changes.ts';
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
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Details</th>
            <th scope="col" title="As in the service’s log">
              Request ID
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, at, actor, actor_name, action, subject, subject_name, request_id, changes }) => (
            <tr key={id}>
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
                <Changes
                  changes={changes}
                  name={subject_name ?? names.get(splitSubject(subject).id)}
                  names={names}
                />
              </td>
              <td className="cell-request">{request_id !== null && <RequestId id={request_id} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Its beginning; the button copies the whole. */
function RequestId({ id }: { id: string }) {
  return (
    <span className="identifier" title={id}>
      <code>{id.slice(0, SHORT_ID)}</code>
      <CopyButton text={id} what={`the request ID ${id.slice(0, SHORT_ID)}`} />
    </span>
  );
}

interface ChangesProps extends Pick<AuditEntry, 'changes'> {
  /** Of what was changed, as the sentence has it. */
  name: string | undefined;
  names: ReadonlyMap<string, string>;
}

/** Values before and after. Both are untrusted and rendered as text. */
function Changes({ changes: all, name, names }: ChangesProps) {
  // What was made or removed is named in the sentence.
  const changes = all.filter(
    ({ what, before, after }) =>
      what !== 'name' || (before ?? after) !== name || (before !== null && after !== null),
  );
  if (changes.length === 0) return null;
  const list = (
    <ul className="audit-changes" aria-label="Changes">
      {changes.map(({ what, before, after }) => (
        <li key={what} className="cell-detail break">
          {visible(partOf(what, names))}:{' '}
          {before !== null && (
            <del>
              <Value what={what} of={before} />
            </del>
          )}
          {before !== null && ' → '}
          <ins>
            <Value what={what} of={after} />
          </ins>
        </li>
      ))}
    </ul>
  );
  // What a new thing began with, or one that is gone had, is there to be looked up; what changed is read.
  const isWhole =
    changes.every(({ before }) => before === null) || changes.every(({ after }) => after === null);
  if (changes.length === 1 || !isWhole) return list;
  return (
    <details className="audit-details">
      <summary>{counted(changes.length, 'setting')}</summary>
      {list}
    </details>
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
