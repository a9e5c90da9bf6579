/** What may be imported from the published package: the doors of package.json, without the vectors and without the one that needs packages of others. */
export interface Door {
  /** As `exports` names it. */
  readonly subpath: string;
  /** The module that it opens, without `.js`. */
  readonly module: string;
  /** Below src/, without `.ts`. */
  readonly source: string;
}

export const DOORS: readonly Door[] = [
  { subpath: '.', module: 'index', source: 'index' },
  { subpath: './conversion', module: 'conversion', source: 'conversion/index' },
  { subpath: './log-formats', module: 'log-formats', source: 'log-formats/index' },
  { subpath: './manifest', module: 'manifest', source: 'manifest/index' },
  { subpath: './periods', module: 'periods', source: 'periods' },
  { subpath: './time', module: 'time', source: 'time' },
];
