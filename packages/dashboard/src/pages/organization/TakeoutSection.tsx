import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { counted } from '../../format/names.ts';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

/** All data of the organization as one archive. */
export function TakeoutSection() {
  const where = useWhere();
  const queryClient = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(peopleQueries.takeouts(where));
  const again = () => queryClient.invalidateQueries(peopleQueries.takeouts(where));
  const ask = useMutation({ mutationFn: () => peopleApi.takeout(where), onSuccess: again });
  const remove = useMutation({
    mutationFn: (id: string) => peopleApi.deleteTakeout(where, id),
    onSuccess: again,
  });
  const download = useMutation({
    mutationFn: (id: string) => peopleApi.takeoutLink(where, id),
    onSuccess: ({ path }) => window.location.assign(path),
  });
  if (isPending) return <Skeleton lines={2} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data.length > 0 && (
        <ul className="list-sources" aria-label="Exports">
          {data.map(({ id, state, table, rows, bytes, asked_at, expires_at, error: failed }) => (
            <li key={id}>
              <p className="list-source-head">
                <strong>
                  <Time value={asked_at} form="date" />
                </strong>
                <span>
                  {counted(rows, 'row')}, {(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })}{' '}
                  MB
                </span>
              </p>
              <p className="list-source-foot">
                <span>
                  {state === 'waiting' && 'queued'}
                  {state === 'making' && `writing ${table ?? 'the first table'} …`}
                  {state === 'ready' && (
                    <>
                      ready, deleted <Time value={expires_at} form="date" />
                    </>
                  )}
                  {state === 'failed' && failed}
                </span>
              </p>
              <div className="form-actions">
                {state === 'ready' && (
                  <button
                    type="button"
                    className="button button-small"
                    disabled={download.isPending}
                    onClick={() => download.mutate(id)}
                  >
                    Download
                  </button>
                )}{' '}
                <button
                  type="button"
                  className="button button-small"
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(id)}
                >
                  Delete
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <FormError error={ask.error ?? download.error ?? remove.error} />
      <button type="button" className="button" disabled={ask.isPending} onClick={() => ask.mutate()}>
        {ask.isPending ? 'One moment…' : 'Export everything'}
      </button>
    </>
  );
}
