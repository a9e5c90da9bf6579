/**
 * The room table of ARCHITECTURE.md as a check. A room is a folder of packages/server/src; its index.ts is its
 * only door. `mayUse` lists the doors that a room may open; a room that is not named in a list stays closed.
 */
const SRC = '^packages/server/src/';

/** room → rooms whose door it may open. Everything may use `core` (a package) and `kit` (no I/O, no state). */
const mayUse = {
  kit: [],
  database: ['kit'],
  warehouse: ['kit'],
  spool: ['kit'],
  properties: ['kit', 'database'],
  keys: ['kit', 'database'],
  accounts: ['kit', 'database'],
  lists: ['kit', 'database'],
  setup: ['kit', 'database', 'warehouse', 'properties', 'keys'],
  ingest: ['kit', 'spool', 'lists', 'keys', 'properties', 'setup'],
  live: ['kit', 'warehouse', 'properties'],
  jobs: ['kit'],
};

const rooms = Object.keys(mayUse);
const alternatives = (names) => `(${names.join('|')})`;

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'door-only',
      comment: 'Another room is entered through its index.ts (or routes.ts, by http/ alone).',
      severity: 'error',
      from: { path: `${SRC}([^/]+)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${SRC}([^/]+)/`, pathNot: [`${SRC}$1/`, `${SRC}[^/]+/(index|routes)\\.ts$`] },
    },
    {
      name: 'routes-are-for-http',
      severity: 'error',
      from: { path: SRC, pathNot: [`${SRC}http/`, `${SRC}(service\\.ts$|composition/)`, '\\.test\\.ts$'] },
      to: { path: `${SRC}[^/]+/routes\\.ts$`, pathNot: `${SRC}$1` },
    },
    ...rooms.map((room) => ({
      name: `room-${room}`,
      comment: `${room}/ may use: core, ${mayUse[room].join(', ') || 'nothing else'}.`,
      severity: 'error',
      from: { path: `${SRC}${room}/`, pathNot: '\\.test\\.ts$' },
      to: { path: SRC, pathNot: [`${SRC}${alternatives([room, ...mayUse[room]])}/`] },
    })),
    {
      name: 'core-stands-alone',
      comment: 'packages/core runs in workerd, Node and the browser: no dependency, no Node API.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/core/' },
    },
    {
      name: 'only-composition-makes-drivers',
      severity: 'error',
      from: {
        path: SRC,
        pathNot: [`${SRC}(database|warehouse|spool)/`, `${SRC}data-dir\\.ts$`, '\\.test\\.ts$'],
      },
      to: { path: ['^node:sqlite$', 'node_modules/(pg|chdb|@clickhouse)/'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|packages/dashboard/)' },
  },
};
