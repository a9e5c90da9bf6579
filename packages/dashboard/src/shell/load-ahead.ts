import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { connection } from '../api/connection.ts';
import { queries } from '../api/queries.ts';
import { prepareOverlays } from '../parts/overlays/useOverlays.ts';
import { loadJump } from './jump/useJump.tsx';

/** The first view comes first: it has loaded all it needs by then. Its own menus are needed soonest. */
const MENUS_AFTER_MS = 2_000;
const PAGES_AFTER_MS = 12_000;

interface Loadable {
  preload?: () => Promise<unknown>;
}

/**
 * Loads the code of menus and of all pages once the first one rests, so that each opens at once, and also while the service restarts. Not for
 * a person who asked the browser to save data.
 */
export function loadAhead(router: AnyRouter, queryClient: QueryClient): void {
  const { connection: network } = navigator as { connection?: { saveData?: boolean } };
  if (network?.saveData === true) return;
  const atRest = (load: () => void): void => {
    const isBusy = queryClient.isFetching() > 0 || router.state.status !== 'idle';
    if (isBusy || connection.state().answeredAt === null) setTimeout(atRest, 1_000, load);
    else load();
  };
  setTimeout(atRest, MENUS_AFTER_MS, () => {
    prepareOverlays();
    void loadJump().catch(() => {});
  });
  setTimeout(atRest, PAGES_AFTER_MS, () => void loadPages());
  async function loadPages(): Promise<void> {
    // The reader of a share link has its reports and nothing else; the service would refuse the rest.
    const isShared = router.state.location.pathname.startsWith('/s/');
    const routes = Object.values(router.routesById) as {
      fullPath: string;
      options: { component?: Loadable };
    }[];
    for (const { fullPath, options } of routes) {
      if (isShared && !fullPath.startsWith('/s/')) continue;
      if (connection.state().awaySince !== null) return;
      await options.component?.preload?.().catch(() => {});
      // One after the other, with room for what the person does.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // What the loaders of some pages wait for.
    if (!isShared) await queryClient.prefetchQuery(queries.sources());
  }
}
