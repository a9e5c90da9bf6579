/** Everything that lives as long as the tab: query cache, router, keys in memory, announcements. */
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, TIMED_OUT } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { HeldKeysProvider } from '../features/keys/HeldKeys.tsx';
import { Announcer } from '../parts/Announcer.tsx';
import { createLinkToken } from './link-token.ts';
import { loadAhead } from './load-ahead.ts';
import { createAppRouter, loadPageCode } from './router.tsx';

const MAX_RETRIES = 2;

export function App() {
  const [{ queryClient, router }] = useState(createApp);
  return (
    <QueryClientProvider client={queryClient}>
      <Announcer>
        <HeldKeysProvider>
          <RouterProvider router={router} />
        </HeldKeysProvider>
      </Announcer>
    </QueryClientProvider>
  );
}

function createApp() {
  // A session may end at any request: sign-in then leads back to the open page.
  const onError = (error: unknown) => {
    const here = router.state.location;
    if (!(error instanceof ApiError) || isOpenPage(here.pathname)) return;
    // Not allowed (any more): an owner may have changed the role.
    if (error.status === 403) void queryClient.invalidateQueries(queries.session());
    if (error.status !== 401) return;
    queryClient.removeQueries();
    void router.navigate({ to: '/sign-in', search: here.pathname === '/' ? {} : { next: here.href } });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // Otherwise a browser that reports itself offline would hold back all calls, even to a service on the same machine.
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && mayPass(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  const router = createAppRouter({ queryClient, linkToken: createLinkToken() });
  loadPageCode(router);
  loadAhead(router, queryClient);
  return { queryClient, router };
}

/** Whether a retry can succeed. A request that timed out would time out again. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return (error.status === 0 && error.code !== TIMED_OUT) || error.status >= 500;
}

/** Pages without a session: a 401 there does not redirect. */
const OPEN_PAGES = ['/sign-in', '/forgot-password', '/reset-password', '/welcome', '/invitation'];

function isOpenPage(path: string): boolean {
  // The page of a share link asks for its password itself.
  return OPEN_PAGES.includes(path) || path.startsWith('/s/');
}
