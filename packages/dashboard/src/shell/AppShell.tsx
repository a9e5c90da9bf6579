/** The frame of every property page: the rail at the left (a bar at the bottom on a phone) and the page beside it. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { PAGES } from '../features/page/pages.tsx';
import { useProperty } from '../features/property/useProperty.ts';
import { useKeepSearch, useRightDays } from '../features/reports/carried.ts';
import { EmptyMark } from '../parts/states.tsx';
import { TimeZoneContext } from '../parts/Time.tsx';
import { useJump } from './jump/useJump.tsx';
import { FramedContext, NotFound } from './PageError.tsx';
import { rememberProperty } from './PropertySwitcher.tsx';
import { Rail } from './Rail.tsx';
import { ShortcutHelp, useNavigationShortcuts } from './shortcuts.tsx';

export function AppShell() {
  const property = useProperty();
  useKeepSearch();
  useRightDays();
  const jump = useJump();
  const [helpOpen, setHelpOpen] = useState(false);
  useNavigationShortcuts(property?.id ?? null, () => setHelpOpen(true));
  useEffect(() => {
    if (property !== null) rememberProperty(property.id);
  }, [property]);

  const name = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  if (property === null) return <NotFound />;
  return (
    <div className="shell">
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <Rail property={property} here={name} onJump={jump.open} onHelp={() => setHelpOpen(true)} />
      <main id="page" className="page" tabIndex={-1} key={property.id}>
        <TimeZoneContext value={property.time_zone}>
          <EmptyMark value={PAGES.find((page) => page.name === name)?.icon ?? null}>
            <FramedContext value={true}>
              <Outlet />
            </FramedContext>
          </EmptyMark>
        </TimeZoneContext>
      </main>
      {jump.dialog}
      {helpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
