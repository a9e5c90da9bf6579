/** The frame of account and organization pages, with its own rail and a link back to the properties. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { IconBack } from '../parts/icons.tsx';
import { EmptyMark } from '../parts/states.tsx';
import '../styles/workspace.css';
import '../features/people/styles/index.css';
import { PEOPLE_PAGES, type PeoplePage } from '../features/page/pages.tsx';
import { OrganizationName, OrganizationPicker } from '../features/people/OrganizationPicker.tsx';
import { useWhere } from '../features/people/search.ts';
import { useProperties } from '../features/property/useProperty.ts';
import { may } from '../features/session/may.ts';
import { useSession } from '../features/session/useSession.ts';
import { useJump } from './jump/useJump.tsx';
import { FramedContext } from './PageError.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { lastProperty } from './PropertySwitcher.tsx';
import { RailBrand } from './RailBrand.tsx';
import { RailTools } from './RailTools.tsx';

export function PeopleShell() {
  const session = useSession();
  const jump = useJump();
  const where = useWhere();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const offered = PEOPLE_PAGES.filter(({ permission }) => permission === null || may(session, permission));
  const own = offered.filter(({ to }) => to === '/account');
  const ours = offered.filter(({ to }) => to !== '/account');
  return (
    <div className="shell people-shell">
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <div className="rail">
        <header className="rail-head">
          <RailBrand />
          <BackLink />
          <div className="rail-place">
            {session.organization === null ? (
              <OrganizationPicker />
            ) : (
              <OrganizationName name={session.organization.name} />
            )}
          </div>
        </header>
        <nav className="rail-nav" aria-label="Account and organization">
          <div className="rail-group">
            <Entries pages={ours} where={where} />
          </div>
          {own.length > 0 && (
            <div className="rail-group rail-own">
              <Entries pages={own} where={where} />
            </div>
          )}
        </nav>
        <nav className="tab-bar" aria-label="Account and organization, at the bottom">
          <Entries pages={[...ours, ...own]} where={where} isBar />
        </nav>
        <div className="rail-foot">
          <RailTools onSearch={jump.open} />
          <PersonMenu />
        </div>
      </div>
      <main id="page" className="page" tabIndex={-1} key={`${path} ${where}`}>
        {session.organization === null && (
          <div className="narrow-picker">
            <OrganizationPicker />
          </div>
        )}
        <EmptyMark value={PEOPLE_PAGES.find(({ to }) => to === path)?.icon ?? null}>
          <FramedContext value={true}>
            <Outlet />
          </FramedContext>
        </EmptyMark>
      </main>
      {jump.dialog}
    </div>
  );
}

interface EntriesProps {
  pages: readonly PeoplePage[];
  where: string | undefined;
  /** In the bar of a phone: with short names. */
  isBar?: boolean;
}

function Entries({ pages, where, isBar = false }: EntriesProps) {
  return pages.map(({ to, label, short = label, icon }) => (
    <Link
      key={to}
      to={to}
      search={where === undefined ? {} : { organization: where }}
      activeOptions={{ exact: true, includeSearch: false }}
      className="rail-link"
    >
      {icon}
      <span>{isBar ? short : label}</span>
    </Link>
  ));
}

/** To the property that was open last. */
function BackLink() {
  const properties = useProperties();
  const property = properties.find(({ id }) => id === lastProperty()) ?? properties[0];
  return (
    <Link to="/" className="rail-back">
      <IconBack />
      <span>{property?.name ?? 'Properties'}</span>
    </Link>
  );
}
