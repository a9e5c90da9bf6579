/** Reports: closed days counted once, everything else from raw hits; lists, exports, shares, sitemaps. */

export { LATEST_COLLECTOR } from './catalog/collectors-report.ts';
export { engineOf } from './engines.ts';
export { createFinder, SEARCHED_DAYS } from './finder.ts';
export type { NotCompared } from './plan.ts';
export { createReportReader, type ReadReport } from './reader.ts';
export { createReports, type Reports, type ReportsOptions } from './reports.ts';
export type { RollupReport } from './rollup.ts';
