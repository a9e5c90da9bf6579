/**
 * The room table of ARCHITECTURE.md as a check. A room is a folder of packages/server/src; its index.ts is its
 * only door. `mayUse` lists the doors that a room may open; a room that is not named in a list stays closed.
 */
const SRC = '^packages/server/src/';

/** room → rooms whose door it may open. Everything may use `core` (a package) and `common` (no I/O). */
const mayUse = {
  common: [],
  database: ['common'],
  warehouse: ['common'],
  spool: ['common'],
  properties: ['common', 'database'],
  sources: ['common'],
  keys: ['common', 'database', 'sources'],
  accounts: ['common', 'database', 'keys', 'outbound'],
  outbound: ['common'],
  lists: ['common', 'database', 'outbound'],
  webmcp: ['common', 'database', 'outbound', 'properties', 'warehouse'],
  domains: ['common', 'database', 'properties'],
  sessions: ['common', 'database', 'properties', 'spool', 'warehouse'],
  webhooks: ['common', 'database', 'properties', 'keys'],
  setup: ['common', 'database', 'warehouse', 'properties', 'keys', 'sources'],
  ingest: ['common', 'spool', 'lists', 'keys', 'properties', 'setup', 'sources'],
  live: ['common', 'warehouse', 'properties', 'sources'],
  destinations: ['common'],
  forwarding: ['common', 'database', 'properties', 'outbound', 'destinations', 'webhooks'],
  reports: ['common', 'database', 'warehouse', 'properties', 'outbound', 'webhooks', 'sources'],
  alerts: ['common', 'database', 'warehouse', 'properties', 'outbound', 'forwarding'],
  limits: ['common', 'database', 'warehouse', 'properties'],
  search: ['common', 'properties', 'reports', 'warehouse', 'webhooks', 'forwarding'],
  sharing: ['common', 'database', 'keys', 'outbound', 'properties', 'reports'],
  jobs: ['common'],
  moving: ['common', 'database', 'warehouse'],
  tracing: ['common'],
  cli: ['common', 'accounts', 'sources', 'outbound', 'warehouse', 'reports', 'backup'],
  backup: ['common', 'database', 'spool', 'warehouse'],
};

/** The commands open the service themselves where none runs, with its environment and data directory. No other room sees a root file. */
const mayUseFiles = { cli: ['service', 'restoration', 'move', 'config', 'data-dir', 'known-errors'] };

/** The same for the collector's rooms. Its root files (worker.ts, index.ts) compose them; platform.ts, version.ts and bounded-body.ts serve everybody. */
const COLLECTOR = '^packages/collector/src/';
const collectorMayUse = {
  settings: [],
  lists: ['settings'],
  signature: ['lists'],
  forward: ['settings'],
  observe: ['settings', 'lists', 'signature', 'forward'],
  manifest: ['settings'],
  migrate: ['settings'],
};

/** The same for the dashboard's rooms, from the top down: no room knows one above it. A page, a folder of pages/, is a room of its own. */
const DASHBOARD = '^packages/dashboard/src/';
const dashboardMayUse = {
  shell: ['pages', 'features', 'parts', 'format', 'api', 'styles'],
  pages: ['features', 'parts', 'format', 'api', 'styles'],
  docs: ['features', 'format', 'styles'],
  features: ['parts', 'format', 'api', 'styles'],
  parts: ['format', 'api', 'styles'],
  format: ['api'],
  api: [],
};

/** Tests and what they are made of may come in by any door. */
const TEST = '(\\.test\\.ts|/testing[^/]*\\.ts|/testing/.+)$';
const rooms = Object.keys(mayUse);
const alternatives = (names) => `(${names.join('|')})`;

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'door-only',
      comment: 'Another room is entered through its index.ts (or routes.ts, by http/ alone).',
      severity: 'error',
      from: { path: `${SRC}([^/]+)/`, pathNot: TEST },
      to: {
        path: `${SRC}([^/]+)/`,
        pathNot: [`${SRC}$1/`, `${SRC}[^/]+/(index|routes)\\.ts$`, `${SRC}common/(sqlite-code|tar)\\.ts$`],
      },
    },
    {
      name: 'routes-are-for-http',
      severity: 'error',
      from: { path: SRC, pathNot: [`${SRC}http/`, `${SRC}(service\\.ts$|composition/)`, TEST] },
      to: { path: `${SRC}[^/]+/routes\\.ts$`, pathNot: `${SRC}$1` },
    },
    ...rooms.map((room) => ({
      name: `room-${room}`,
      comment: `${room}/ may use: core, ${mayUse[room].join(', ') || 'nothing else'}.`,
      severity: 'error',
      from: { path: `${SRC}${room}/`, pathNot: TEST },
      to: {
        path: SRC,
        pathNot: [
          `${SRC}${alternatives([room, ...mayUse[room]])}/`,
          ...(mayUseFiles[room] ?? []).map((file) => `${SRC}${file}\\.ts$`),
        ],
      },
    })),
    {
      name: 'collector-door-only',
      severity: 'error',
      from: { path: `${COLLECTOR}([^/]+)/`, pathNot: TEST },
      to: { path: `${COLLECTOR}([^/]+)/`, pathNot: [`${COLLECTOR}$1/`, `${COLLECTOR}[^/]+/index\\.ts$`] },
    },
    ...Object.keys(collectorMayUse).map((room) => ({
      name: `collector-${room}`,
      comment: `the collector's ${room}/ may use: core, ${collectorMayUse[room].join(', ') || 'nothing else'}.`,
      severity: 'error',
      from: { path: `${COLLECTOR}${room}/`, pathNot: TEST },
      to: {
        path: COLLECTOR,
        pathNot: [
          `${COLLECTOR}${alternatives([room, ...collectorMayUse[room]])}/`,
          `${COLLECTOR}(platform|version|bounded-body)\\.ts$`,
        ],
      },
    })),
    {
      name: 'collector-is-no-node',
      comment: 'The collector runs at the edge: only migrate/, a command line, is Node.',
      severity: 'error',
      from: { path: COLLECTOR, pathNot: [`${COLLECTOR}(migrate|testing)/`, TEST] },
      to: { path: '^node:' },
    },
    ...Object.keys(dashboardMayUse).map((room) => ({
      name: `dashboard-${room}`,
      comment: `the dashboard's ${room}/ may use: ${dashboardMayUse[room].join(', ') || 'nothing else'}.`,
      severity: 'error',
      from: { path: `${DASHBOARD}${room}/` },
      to: { path: DASHBOARD, pathNot: [`${DASHBOARD}${alternatives([room, ...dashboardMayUse[room]])}/`] },
    })),
    {
      name: 'dashboard-pages-apart',
      comment: 'What two pages need is a feature, or a part.',
      severity: 'error',
      from: { path: `${DASHBOARD}pages/([^/]+)/` },
      to: { path: `${DASHBOARD}pages/`, pathNot: [`${DASHBOARD}pages/$1/`] },
    },
    {
      name: 'dashboard-page-door',
      comment: "The shell opens a page by its *Page.tsx, and reads its address with the page's search.ts.",
      severity: 'error',
      from: { path: `${DASHBOARD}shell/` },
      to: {
        path: `${DASHBOARD}pages/`,
        pathNot: [`${DASHBOARD}pages/.+Page\\.tsx$`, `${DASHBOARD}pages/[^/]+/search\\.ts$`],
      },
    },
    {
      name: 'dashboard-is-no-node',
      comment:
        'The dashboard runs in a browser. Of the other packages it knows core, and the snippet of the SDK that it shows.',
      severity: 'error',
      from: { path: DASHBOARD, pathNot: '\\.test\\.tsx?$' },
      to: {
        path: ['^node:', '^packages/(server|collector|sdk)/'],
        pathNot: '^packages/sdk/src/snippet\\.ts$',
      },
    },
    {
      name: 'core-stands-alone',
      comment: 'packages/core runs in workerd, Node and the browser: no dependency, no Node API.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: [TEST, '^packages/core/src/signed-request/'] },
      to: { pathNot: '^packages/core/' },
    },
    {
      name: 'core-signed-request',
      comment:
        'The entry that reads signed requests may use two packages, and no other part of core may use it.',
      severity: 'error',
      from: { path: '^packages/core/src/signed-request/', pathNot: TEST },
      to: {
        pathNot: [
          '^packages/core/',
          '^node_modules/(?:http-message-sig|structured-headers)/',
          '^(?:http-message-sig|structured-headers)$',
        ],
      },
    },
    {
      name: 'core-signed-request-apart',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: [TEST, '^packages/core/src/signed-request/'] },
      to: { path: '^packages/core/src/signed-request/' },
    },
    {
      name: 'sdk-stands-alone',
      comment:
        'packages/sdk runs in any page and must stay small: no dependency, no Node API, nothing of the other packages.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: TEST },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'tail-stands-alone',
      comment: 'packages/tail is small and runs on any server: Node, core, and what is bundled of isbot.',
      severity: 'error',
      from: { path: '^packages/tail/src/', pathNot: TEST },
      to: {
        pathNot: ['^packages/(tail|core)/', '^@ghostlight/core', 'node_modules/isbot/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'node-stands-alone',
      comment:
        'packages/node runs in any application: core, rooms of the collector by their doors, and what is bundled of isbot. Of Node the types alone: before Next 16 its middleware runs where there is no Node.',
      severity: 'error',
      from: { path: '^packages/node/src/', pathNot: TEST },
      to: {
        pathNot: [
          '^packages/(node|core)/',
          '^@ghostlight/core',
          `${COLLECTOR}(lists|signature|manifest)/index\\.ts$`,
          `${COLLECTOR}observe/parts\\.ts$`,
          `${COLLECTOR}(log|platform)\\.ts$`,
          'node_modules/isbot/',
          '^(node:)?http$',
        ],
      },
    },
    {
      name: 'only-composition-makes-drivers',
      severity: 'error',
      from: {
        path: SRC,
        pathNot: [`${SRC}(database|warehouse|spool)/`, `${SRC}data-dir\\.ts$`, TEST],
      },
      to: { path: ['^node:sqlite$', 'node_modules/(pg|chdb|@clickhouse)/'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
  },
};
