/** The one state of a service that does not answer: what the whole dashboard says and does about it. */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../api/connection.ts';
import { useProperty } from '../features/property/useProperty.ts';
import { counted } from '../format/names.ts';
import { useAnnounce } from '../parts/Announcer.tsx';
import { IconWarning } from '../parts/icons.tsx';
import { BannerContext } from '../parts/states.tsx';
import { Time, TimeZoneContext } from '../parts/Time.tsx';

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
    <BannerContext value={true}>
      <Outlet />
      <AwayBanner />
    </BannerContext>
  );
}

/** Lies over the lower edge, so that nothing moves when it comes and goes. */
function AwayBanner() {
  const { awaySince, answeredAt, kept } = useConnection();
  const queryClient = useQueryClient();
  const router = useRouter();
  const announce = useAnnounce();
  const isOffline = useOffline();
  useEffect(() => connection.watch(), []);
  // What was said of an earlier return is no longer so.
  useEffect(() => {
    if (awaySince !== null) announce('');
  }, [awaySince, announce]);
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
        {isOffline ? 'You’re offline.' : 'The service can’t be reached; it may be restarting.'}{' '}
        {answeredAt !== null && <LoadedAt time={answeredAt} />}
        {kept === 0
          ? 'This page tries again every few seconds.'
          : `${counted(kept, 'change is', 'changes are')} waiting and will be sent when the service is back.`}
      </p>
      {kept > 0 && (
        <button type="button" className="button button-small" onClick={() => connection.giveBack()}>
          Stop waiting
        </button>
      )}
    </div>
  );
}

/** Of which moment the page is, in the zone of its property. Nothing where a part of it was never loaded: that part says so itself. */
function LoadedAt({ time }: { time: number }) {
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const isWhole = useSyncExternalStore(
    subscribe,
    () => !cache.getAll().some((query) => query.isActive() && query.state.data === undefined),
  );
  const isOpen = useRouterState({
    select: ({ matches }) => matches.every(({ status }) => status === 'success'),
  });
  const timeZone = useProperty()?.time_zone ?? null;
  return isWhole && isOpen ? (
    <TimeZoneContext value={timeZone}>
      The data shown was loaded at <Time value={time} form="time" />
      {timeZone !== null && ` (${timeZone})`} or earlier.{' '}
    </TimeZoneContext>
  ) : null;
}

/** The browser itself has no network, which is no fault of the service. */
function useOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine);
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('offline', listener);
  window.addEventListener('online', listener);
  return () => {
    window.removeEventListener('offline', listener);
    window.removeEventListener('online', listener);
  };
}
