/** The one state of a service that does not answer: what the whole dashboard says and does about it. */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../api/connection.ts';
import { counted } from '../format/names.ts';
import { useAnnounce } from '../parts/Announcer.tsx';
import { IconWarning } from '../parts/icons.tsx';
import { Time } from '../parts/Time.tsx';

export function useConnection() {
  return useSyncExternalStore(connection.subscribe, connection.state);
}

/** Runs after each return of the service. */
export function useOnReturn(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => connection.onReturn(() => latest.current()), []);
}

/** Below it is everything that needs a session. */
export function SignedIn() {
  return (
    <>
      <Outlet />
      <AwayBanner />
    </>
  );
}

/** Lies over the lower edge, so that nothing moves when it comes and goes. */
function AwayBanner() {
  const { awaySince, answeredAt, kept } = useConnection();
  const queryClient = useQueryClient();
  const router = useRouter();
  const announce = useAnnounce();
  useEffect(() => connection.watch(), []);
  useEffect(() => {
    // Only hints: a browser without a network still reaches a service on its own machine.
    const check = () => connection.noteSilence();
    window.addEventListener('offline', check);
    window.addEventListener('online', check);
    return () => {
      window.removeEventListener('offline', check);
      window.removeEventListener('online', check);
    };
  }, []);
  useOnReturn(() => {
    announce('Connected again.');
    void queryClient.invalidateQueries();
    void router.invalidate();
  });
  // A closed tab loses the changes that wait.
  useEffect(() => {
    if (kept === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [kept]);
  if (awaySince === null) return null;
  return (
    <div className="away" role="alert">
      <IconWarning />
      <p>
        The service can’t be reached; it may be restarting.{' '}
        {answeredAt !== null && (
          <>
            Shown is what was loaded until <Time value={answeredAt} form="clock" />.{' '}
          </>
        )}
        {kept === 0
          ? 'This page tries again every few seconds.'
          : `${counted(kept, 'change is', 'changes are')} kept and sent when it is back.`}
      </p>
      {kept > 0 && (
        <button type="button" className="button button-small" onClick={() => connection.giveBack()}>
          Don’t wait
        </button>
      )}
    </div>
  );
}
