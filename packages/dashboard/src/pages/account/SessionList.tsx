import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountApi, type SignInSession, sessionsQuery } from '../../features/account/api.ts';
import { browserName } from '../../format/user-agent.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import '../../parts/list/stack-table.css';

export function SessionList() {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { data, error, refetch } = useQuery(sessionsQuery());
  const onSuccess = async () => {
    await queryClient.invalidateQueries(sessionsQuery());
    announce('Signed out');
  };
  const end = useMutation({ mutationFn: accountApi.endSession, onSuccess });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={3} label="Loading sessions" />;
  // This session first.
  const sessions = [...data].sort((a, b) => Number(b.current) - Number(a.current));
  return (
    <>
      <ul className="rows" aria-label="Sessions">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            pending={end.isPending}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      {failed(end) && <ErrorState error={end.error} />}
    </>
  );
}

interface SessionRowProps {
  session: SignInSession;
  pending: boolean;
  onEnd: () => void;
}

function SessionRow({ session, pending, onEnd }: SessionRowProps) {
  const { current, user_agent, address, created_at, last_seen_at } = session;
  const name = browserName(user_agent);
  return (
    <li>
      <div>
        <p className="row-name" title={user_agent ?? undefined}>
          {name}
          {current && <span className="tag">this session</span>}
        </p>
        <p className="quiet">
          {address !== null && <span className="number break">{address} · </span>}
          {current ? 'signed in ' : 'last seen '}
          <Time value={current ? created_at : last_seen_at} form="ago" />
        </p>
      </div>
      {!current && (
        <button
          type="button"
          className="button button-small"
          aria-label={`Sign out ${name}${address === null ? '' : `, ${address}`}`}
          disabled={pending}
          onClick={onEnd}
        >
          Sign out
        </button>
      )}
    </li>
  );
}

/** Of a device that was lost, or a browser that was left signed in; nothing while there is one session. */
export function SignOutElsewhere() {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { data = [] } = useQuery(sessionsQuery());
  const { mutate, isPending, error } = useMutation({
    mutationFn: accountApi.endOtherSessions,
    onSuccess: async () => {
      await queryClient.invalidateQueries(sessionsQuery());
      announce('Signed out');
    },
  });
  if (data.length < 2) return null;
  return (
    <div className="sign-out-elsewhere">
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        Sign out everywhere else
      </button>
      <p className="field-hint">Ends every session but this one. API tokens keep working.</p>
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
