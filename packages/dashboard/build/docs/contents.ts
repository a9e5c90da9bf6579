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
  { title: 'Conversions and agents', pages: ['webhooks', 'shops', 'forwarding', 'agents'] },
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

/** The way of most newcomers, above the groups of the first page. */
export const FIRST_PAGES: readonly string[] = ['install', 'sending-data', 'reports'];

/** What a page is about, where its first sentence does not say so. */
export const ABOUT: Readonly<Record<string, string>> = {
  install: 'Start the service with Docker Compose, npm or from source, and open the dashboard.',
  'guide-marketing': 'How AI reads your site, and what to look at each week.',
  'guide-agency': 'One installation for all your clients.',
  troubleshooting: 'Symptoms, causes and fixes.',
  reports: 'What each page of the dashboard shows, and how its figures are counted.',
  people: 'Accounts, roles, invitations, API tokens and the audit log.',
  'sending-data': 'Endpoints, keys and formats: everything that reports visits.',
  collector: 'A Worker on your Cloudflare zone that reports visits as they happen.',
  'log-sources': 'Set up Logpush, CloudFront, Fastly, Vercel, Netlify, nginx and others.',
  sdk: 'A small script that records how people arrive, so that conversions can be matched.',
  webhooks: 'Post purchases, leads and sign-ups from a server, a CRM or a form.',
  shops: 'Let WooCommerce and Shopify send their orders and refunds.',
  forwarding: 'Send matched conversions to the ad platforms that you connect.',
  agents: 'Find, verify and call the tools that a site offers in its signed manifest.',
  configuration: 'Every environment variable, with its default.',
  limits: 'Quotas, retention, deletion, and how data leaves the installation.',
  'sign-in': 'OpenID Connect besides passwords, or instead of them.',
  cli: 'The commands of ghostlight, for what the dashboard does and more.',
  api: 'JSON under /api/v1: authentication, calls, paging and errors.',
  upgrading: 'What a version promises, and how to move to the next one.',
  clickhouse: 'Store hits on a ClickHouse server instead of the embedded engine.',
  releasing: 'How a version is built, checked and published.',
  writing: 'Style and glossary of our documentation, messages and comments.',
  changelog: 'What changed in each version.',
  contributing: 'Set up the repository, and how to add each kind of thing.',
  security: 'How to report a vulnerability.',
};

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
