/** The frame of account and organization pages, with its own rail and a link back to the properties. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { IconBack } from '../parts/icons.tsx';
import { Logo } from '../parts/Logo.tsx';
import '../styles/workspace.css';
import '../features/people/styles/index.css';
import { PEOPLE_PAGES, type PeoplePage } from '../features/page/pages.tsx';
import { OrganizationPicker } from '../features/people/OrganizationPicker.tsx';
import { useWhere } from '../features/people/search.ts';
import { useProperties } from '../features/property/useProperty.ts';
import { may } from '../features/session/may.ts';
import { useSession } from '../features/session/useSession.ts';
import { useJump } from './jump/useJump.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { lastProperty } from './PropertySwitcher.tsx';

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
          <Logo />
          <BackLink />
        </header>
        <nav className="rail-nav" aria-label="Account and organization">
          {own.length > 0 && (
            <div className="rail-group">
              <p className="rail-title">You</p>
              <Entries pages={own} where={where} />
            </div>
          )}
          <div className="rail-group">
            {session.organization === null ? (
              <OrganizationPicker />
            ) : (
              <p className="rail-title">{session.organization.name}</p>
            )}
            <Entries pages={ours} where={where} />
          </div>
        </nav>
        <nav className="tab-bar" aria-label="Account and organization, at the bottom">
          <Entries pages={offered} where={where} />
        </nav>
        <div className="rail-foot">
          <PersonMenu />
        </div>
      </div>
      <main id="page" className="page" tabIndex={-1} key={`${path} ${where}`}>
        {session.organization === null && (
          <div className="narrow-picker">
            <OrganizationPicker />
          </div>
        )}
        <Outlet />
      </main>
      {jump.dialog}
    </div>
  );
}

function Entries({ pages, where }: { pages: readonly PeoplePage[]; where: string | undefined }) {
  return pages.map(({ to, label, icon }) => (
    <Link
      key={to}
      to={to}
      search={where === undefined ? {} : { organization: where }}
      activeOptions={{ exact: true, includeSearch: false }}
      className="rail-link"
    >
      {icon}
      <span>{label}</span>
    </Link>
  ));
}

function BackLink() {
  const properties = useProperties();
  const property = properties.find(({ id }) => id === lastProperty()) ?? properties[0];
  return (
    <Link to="/" className="switcher back">
      <IconBack />
      <span className="switcher-text">
        <span className="switcher-name">{property?.name ?? 'Properties'}</span>
        <span className="switcher-domain">{property === undefined ? 'none yet' : 'Back to property'}</span>
      </span>
    </Link>
  );
}
