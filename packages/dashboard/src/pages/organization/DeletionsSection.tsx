import { useQuery } from '@tanstack/react-query';
import { type Deletion, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { Section } from '../../parts/Section.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

/** Deleted properties, each with what was deleted and the count that proves that nothing is left; none: no section. */
export function DeletionsSection() {
  const { data, error, isPending, refetch } = useQuery(peopleQueries.deletions(useWhere()));
  if (isPending || data?.length === 0) return null;
  return (
    <Section title="Deletions" about="What was deleted with a property, and the count of what is left.">
      {error === null ? (
        <DeletionList deletions={data} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

function DeletionList({ deletions }: { deletions: readonly Deletion[] }) {
  return (
    <ul className="list-sources" aria-label="Deletions">
      {deletions.map((deletion) => (
        <li key={deletion.id}>
          <p className="list-source-head">
            <strong>{deletion.name}</strong>
            <span>{STATES[deletion.state]}</span>
          </p>
          <p>{sentenceOf(deletion)}</p>
          <p className="list-source-foot">
            <span>
              asked for <Time value={deletion.asked_at} form="date" />
            </span>
            {deletion.finished_at !== null && (
              <span>
                counted <Time value={deletion.counted_at} form="date" />
              </span>
            )}
          </p>
          {deletion.error !== null && <p className="list-source-error">{deletion.error}</p>}
        </li>
      ))}
    </ul>
  );
}

const STATES: Readonly<Record<Deletion['state'], string>> = {
  waiting: 'begins within a minute',
  deleting: 'is being deleted',
  done: 'done',
};
/** Kinds of rows that are named; the rest is added up. */
const NAMED = 6;

function sentenceOf({ deleted, deleted_rows, left_rows }: Deletion): string {
  const named = deleted.slice(0, NAMED);
  const others = deleted.slice(NAMED).reduce((sum, { rows }) => sum + rows, 0);
  const parts = named.map(({ rows, holds }) => `${rows.toLocaleString('en')} ${holds}`);
  if (others > 0) parts.push(`${others.toLocaleString('en')} other rows`);
  const what = deleted_rows === 0 && parts.length === 0 ? 'nothing' : parts.join(', ');
  return `Deleted: ${what}. ${left_rows.toLocaleString('en')} left.`;
}
