/** The routes of the application. Every view has an address, including filters. Pages behind sign-in load when they are opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { connection } from '../api/connection.ts';
import { queries } from '../api/queries.ts';
import { readOrganization } from '../features/people/search.ts';
import { type FilteredPage, readReportSearch } from '../features/reports/search.ts';
import type { SharedPage } from '../features/session/shared.ts';
import { readSettingsSearch } from '../features/settings/topics.ts';
import { readVisitSearch } from '../features/visits/search.ts';
import { learnNetworks } from '../format/networks.ts';
import { readAlertsSearch } from '../pages/alerts/search.ts';
import { readAuditSearch } from '../pages/audit/search.ts';
import { readConversionSearch } from '../pages/conversions/search.ts';
import { readDeliverySearch } from '../pages/deliveries/search.ts';
import { readDestinationSearch } from '../pages/destinations/search.ts';
import { readFilters } from '../pages/live/search.ts';
import { readSdkSearch } from '../pages/sdk/search.ts';
import { readWay } from '../pages/setup/search.ts';
import { SignInPage } from '../pages/sign-in/SignInPage.tsx';
import { readWebhooksSearch } from '../pages/webhooks/search.ts';
import { readView } from '../pages/webmcp/search.ts';
import { AppShell } from './AppShell.tsx';
import { SignedIn } from './away.tsx';
import { lazyPage } from './lazy-page.ts';
import type { LinkToken } from './link-token.ts';
import { NotFound, PageError, PagePending, SharedNotFound } from './PageError.tsx';
import { lastProperty } from './PropertySwitcher.tsx';

interface RouterContext {
  readonly queryClient: QueryClient;
  readonly linkToken: LinkToken;
}

const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next, provider }: Record<string, unknown>): { next?: string; provider?: string } => ({
    // Only a path on this site: `//elsewhere` and `/\elsewhere` would leave it.
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}),
    // Why a sign-in at the company's provider ended here.
    ...(typeof provider === 'string' ? { provider } : {}),
  }),
  component: SignInPage,
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyPage(() => import('../pages/sign-in/ForgotPage.tsx'), 'ForgotPage'),
});

/** The secret of a one-time link is removed from the address before its page loads. */
function takeToken(to: '/welcome' | '/invitation' | '/reset-password') {
  return ({ location, context }: { location: { hash: string }; context: RouterContext }) => {
    if (context.linkToken.take(location.hash)) throw redirect({ to, replace: true });
    return { token: context.linkToken.current() };
  };
}
const linkPage = lazyPage(() => import('../pages/sign-in/LinkPage.tsx'), 'LinkPage');
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  beforeLoad: takeToken('/welcome'),
  component: linkPage,
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  beforeLoad: takeToken('/invitation'),
  component: linkPage,
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: takeToken('/reset-password'),
  component: linkPage,
});

/** Routes below need a session; without one the query's 401 leads to sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ context }) => {
    // Asked for together; the loader waits for it, and says what went wrong.
    void context.queryClient.ensureQueryData(queries.properties()).catch(() => {});
    await context.queryClient.ensureQueryData(queries.session());
  },
  loader: async ({ context }) => {
    await context.queryClient.ensureQueryData(queries.properties());
  },
});

/** Before pages that name log sources. Not before all: with the setup of every source, the answer is large. */
const loadSources = async ({ context }: { context: RouterContext }) => {
  await context.queryClient.ensureQueryData({ ...queries.sources(), ...WHILE_THERE });
};

/** Repeated as any other, but not while the service is unreachable: the page opens at once, and says what it lacks. */
const WHILE_THERE = {
  retry: (failures: number) => failures < 2 && connection.state().awaySince === null,
};

/** Before pages of individual visits. Without the names they show those of the logs, and the numbers of networks. */
const loadNames = async ({ context: { queryClient } }: { context: RouterContext }) => {
  const networks = queryClient.ensureQueryData({ ...queries.networks(), ...WHILE_THERE }).catch(() => []);
  const sources = queryClient.ensureQueryData({ ...queries.sources(), ...WHILE_THERE }).catch(() => {});
  learnNetworks(await networks);
  await sources;
};

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  loader: async ({ context }) => {
    const properties = await context.queryClient.ensureQueryData(queries.properties());
    const property = properties.find(({ id }) => id === lastProperty()) ?? properties[0];
    if (property === undefined) throw redirect({ to: '/properties/new' });
    throw redirect({ to: '/p/$propertyId', params: { propertyId: property.id } });
  },
});

const newProperty = createRoute({
  getParentRoute: () => signedIn,
  path: '/properties/new',
  component: lazyPage(() => import('../pages/new-property/NewPropertyPage.tsx'), 'NewPropertyPage'),
});

/** Account and organization, which exist before the first property. */
const people = createRoute({
  getParentRoute: () => signedIn,
  id: 'people',
  validateSearch: readOrganization,
  component: lazyPage(() => import('./PeopleShell.tsx'), 'PeopleShell'),
});
const account = createRoute({
  getParentRoute: () => people,
  path: '/account',
  component: lazyPage(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
});
const organization = createRoute({
  getParentRoute: () => people,
  path: '/organization',
  component: lazyPage(() => import('../pages/organization/OrganizationPage.tsx'), 'OrganizationPage'),
});
const members = createRoute({
  getParentRoute: () => people,
  path: '/organization/members',
  component: lazyPage(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
});
const tokens = createRoute({
  getParentRoute: () => people,
  path: '/organization/tokens',
  component: lazyPage(() => import('../pages/tokens/TokensPage.tsx'), 'TokensPage'),
});
const auditLog = createRoute({
  getParentRoute: () => people,
  path: '/organization/audit',
  validateSearch: readAuditSearch,
  loader: loadSources,
  component: lazyPage(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
});

const property = createRoute({ getParentRoute: () => signedIn, path: '/p/$propertyId', component: AppShell });

/** A property without traffic opens its setup instead of an empty report. */
const propertyHome = createRoute({
  getParentRoute: () => property,
  path: '/',
  loader: async ({ context, params }) => {
    const diagnosis = await context.queryClient
      .ensureQueryData(queries.setup(params.propertyId))
      .catch(() => null);
    throw redirect({
      to: diagnosis?.state === 'waiting' ? '/p/$propertyId/setup' : '/p/$propertyId/overview',
      params,
    });
  },
});

const live = createRoute({
  getParentRoute: () => property,
  path: '/live',
  loader: loadNames,
  validateSearch: readFilters,
  component: lazyPage(() => import('../pages/live/LivePage.tsx'), 'LivePage'),
});

/** A page with the filters of reports. */
function reportRoute<const Path extends `/${FilteredPage}`>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => property, path, validateSearch: readReportSearch, component });
}
const overviewPage = lazyPage(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage');
const overview = reportRoute('/overview', overviewPage);
const botsPage = lazyPage(() => import('../pages/bots/BotsPage.tsx'), 'BotsPage');
const bots = reportRoute('/bots', botsPage);
const pagesPage = lazyPage(() => import('../pages/pages/PagesPage.tsx'), 'PagesPage');
const pages = reportRoute('/pages', pagesPage);
const failuresPage = lazyPage(() => import('../pages/failures/FailuresPage.tsx'), 'FailuresPage');
const failures = reportRoute('/failures', failuresPage);
const trust = reportRoute(
  '/trust',
  lazyPage(() => import('../pages/trust/TrustPage.tsx'), 'TrustPage'),
);
const sharePage = lazyPage(() => import('../pages/share/SharePage.tsx'), 'SharePage');
const share = reportRoute('/share', sharePage);
const referralsPage = lazyPage(() => import('../pages/referrals/ReferralsPage.tsx'), 'ReferralsPage');
const referrals = reportRoute('/referrals', referralsPage);
const collectors = createRoute({
  getParentRoute: () => property,
  path: '/collectors',
  loader: loadSources,
  validateSearch: readReportSearch,
  component: lazyPage(() => import('../pages/collectors/CollectorsPage.tsx'), 'CollectorsPage'),
});

const alerts = createRoute({
  getParentRoute: () => property,
  path: '/alerts',
  validateSearch: readAlertsSearch,
  component: lazyPage(() => import('../pages/alerts/AlertsPage.tsx'), 'AlertsPage'),
});

const setup = createRoute({
  getParentRoute: () => property,
  path: '/setup',
  loader: loadSources,
  validateSearch: readWay,
  component: lazyPage(() => import('../pages/setup/SetupPage.tsx'), 'SetupPage'),
});

const visits = createRoute({
  getParentRoute: () => property,
  path: '/visits',
  loader: loadNames,
  validateSearch: readVisitSearch,
  component: lazyPage(() => import('../pages/visits/VisitsPage.tsx'), 'VisitsPage'),
});

const conversions = createRoute({
  getParentRoute: () => property,
  path: '/conversions',
  validateSearch: readConversionSearch,
  component: lazyPage(() => import('../pages/conversions/ConversionsPage.tsx'), 'ConversionsPage'),
});

const webhooks = createRoute({
  getParentRoute: () => property,
  path: '/webhooks',
  validateSearch: readWebhooksSearch,
  component: lazyPage(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
});

const sdk = createRoute({
  getParentRoute: () => property,
  path: '/sdk',
  validateSearch: readSdkSearch,
  component: lazyPage(() => import('../pages/sdk/SdkPage.tsx'), 'SdkPage'),
});

const deliveries = createRoute({
  getParentRoute: () => property,
  path: '/deliveries',
  validateSearch: readDeliverySearch,
  component: lazyPage(() => import('../pages/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
});

const destinations = createRoute({
  getParentRoute: () => property,
  path: '/destinations',
  component: lazyPage(() => import('../pages/destinations/DestinationsPage.tsx'), 'DestinationsPage'),
});

const connect = createRoute({
  getParentRoute: () => property,
  path: '/destinations/new/$platform',
  component: lazyPage(() => import('../pages/destinations/connect/ConnectPage.tsx'), 'ConnectPage'),
});

const destination = createRoute({
  getParentRoute: () => property,
  path: '/destinations/$destinationId',
  validateSearch: readDestinationSearch,
  component: lazyPage(() => import('../pages/destinations/detail/DestinationPage.tsx'), 'DestinationPage'),
});

const webmcp = createRoute({
  getParentRoute: () => property,
  path: '/webmcp',
  validateSearch: readView,
  component: lazyPage(() => import('../pages/webmcp/WebmcpPage.tsx'), 'WebmcpPage'),
});

const sharing = createRoute({
  getParentRoute: () => property,
  path: '/sharing',
  component: lazyPage(() => import('../pages/sharing/SharingPage.tsx'), 'SharingPage'),
});
const keys = createRoute({
  getParentRoute: () => property,
  path: '/keys',
  loader: loadSources,
  component: lazyPage(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
});
const settings = createRoute({
  getParentRoute: () => property,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyPage(() => import('../pages/settings/SettingsPage.tsx'), 'SettingsPage'),
});

/** A share link: reports of one property, for readers without an account. */
const shared = createRoute({
  getParentRoute: () => root,
  path: '/s/$token',
  component: lazyPage(() => import('./shared/SharedShell.tsx'), 'SharedShell'),
  notFoundComponent: SharedNotFound,
});
const sharedHome = createRoute({
  getParentRoute: () => shared,
  path: '/',
  loader: ({ params }) => {
    throw redirect({ to: '/s/$token/overview', params, replace: true });
  },
});
function sharedRoute<const Path extends `/${SharedPage}`>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => shared, path, validateSearch: readReportSearch, component });
}

const routeTree = root.addChildren([
  shared.addChildren([
    sharedHome,
    sharedRoute('/overview', overviewPage),
    sharedRoute('/bots', botsPage),
    sharedRoute('/pages', pagesPage),
    sharedRoute('/failures', failuresPage),
    sharedRoute('/referrals', referralsPage),
    sharedRoute('/share', sharePage),
  ]),
  signIn,
  forgot,
  welcome,
  invitation,
  resetPassword,
  signedIn.addChildren([
    home,
    newProperty,
    people.addChildren([account, organization, members, tokens, auditLog]),
    property.addChildren([
      propertyHome,
      overview,
      bots,
      pages,
      failures,
      trust,
      share,
      referrals,
      collectors,
      alerts,
      live,
      visits,
      conversions,
      deliveries,
      setup,
      sdk,
      webhooks,
      destinations,
      connect,
      destination,
      webmcp,
      keys,
      settings,
      sharing,
    ]),
  ]),
]);

export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultPendingMs: 150,
  });
}

/** Loads the code of the pages at the address at once: the router would ask for the session first. */
export function loadPageCode(router: ReturnType<typeof createAppRouter>): void {
  const routes: Readonly<Record<string, { options: { component?: { preload?(): Promise<unknown> } } }>> =
    router.routesById as never;
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const component = routes[String(routeId)]?.options.component;
    // The router loads it as well, and says what went wrong.
    void component?.preload?.().catch(() => {});
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
