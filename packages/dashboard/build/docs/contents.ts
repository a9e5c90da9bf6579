/** The order of the documentation. A file of docs/ that no group names is listed under "More". */
interface Group {
  readonly title: string;
  /** Paths below docs/, without the extension. */
  readonly pages: readonly string[];
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: ['install', 'guide-marketing', 'guide-agency', 'troubleshooting', 'glossary'],
  },
  { title: 'Read the figures', pages: ['reports', 'sharing', 'alerts', 'settings', 'people', 'privacy'] },
  {
    title: 'Connect your site',
    pages: ['sending-data', 'collector', 'log-sources', 'tail-and-import', 'node', 'wordpress', 'sdk'],
  },
  { title: 'Conversions', pages: ['webhooks', 'shops', 'forwarding'] },
  { title: 'Agents', pages: ['agents'] },
  {
    title: 'Run it',
    pages: [
      'configuration',
      'limits',
      'sign-in',
      'cli',
      'api',
      'backup',
      'upgrading',
      'runbook',
      'moving',
      'clickhouse',
      'figures',
    ],
  },
];

/** Files outside docs/ that belong to it. By path in the documentation. */
export const OTHER_FILES: Readonly<Record<string, string>> = {
  changelog: 'CHANGELOG.md',
  contributing: 'CONTRIBUTING.md',
  security: 'SECURITY.md',
};

/** The last group: what no other one names. */
export const MORE = 'More';
/** Decisions are pages too, reached by links; they are too many for the navigation. */
export const DECISIONS = 'decisions/';
