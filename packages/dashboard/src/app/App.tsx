/** Everything that lives as long as the tab: the query cache, the router, keys held in memory, spoken announcements. */
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { Announcer } from '../parts/Announcer.tsx';
import { HeldKeysProvider } from '../setup/HeldKeys.tsx';
import { createAppRouter } from './router.tsx';

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
  // A session may end at any request: then the page that was open is where sign-in leads back to.
  const onError = (error: unknown) => {
    const here = router.state.location;
    if (!(error instanceof ApiError) || error.status !== 401 || here.pathname === '/sign-in') return;
    queryClient.removeQueries();
    void router.navigate({ to: '/sign-in', search: here.pathname === '/' ? {} : { next: here.href } });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
      },
    },
  });
  const router = createAppRouter(queryClient);
  return { queryClient, router };
}
