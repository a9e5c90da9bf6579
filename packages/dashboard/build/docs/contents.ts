/** The order of the documentation. A file of docs/ that no group names is listed under "More". */
interface Group {
  readonly title: string;
  /** Paths below docs/, without the extension. */
  readonly pages: readonly string[];
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: ['install', 'guide-marketing', 'guide-agency', 'privacy', 'troubleshooting', 'glossary'],
  },
  { title: 'Reports and alerts', pages: ['reports', 'alerts', 'sharing'] },
  { title: 'Team and settings', pages: ['settings', 'people', 'sign-in'] },
  {
    title: 'Connect your site',
    pages: ['sending-data', 'collector', 'log-sources', 'tail-and-import', 'node', 'wordpress'],
  },
  {
    title: 'Conversions and agents',
    pages: ['sdk', 'webhooks', 'shops', 'forwarding', 'agents', 'api'],
  },
  {
    title: 'Self-hosting',
    pages: [
      'configuration',
      'limits',
      'cli',
      'backup',
      'upgrading',
      'runbook',
      'moving',
      'clickhouse',
      'figures',
    ],
  },
];

/** The way of most newcomers, above the groups of the first page: what to do, and with what. */
export const FIRST_STEPS: Readonly<Record<string, readonly [title: string, about: string]>> = {
  install: ['Install the service', 'On a machine with Docker or npm, or on Kubernetes.'],
  'sending-data': [
    'Connect your site',
    'With a collector at the edge, log push, or the logs of your server.',
  ],
  reports: ['Read the reports', 'Which bots read what, whether they are real, and what comes of it.'],
};

/** What its reader will be able to do, where the first sentence of a page does not say so. */
export const ABOUT: Readonly<Record<string, string>> = {
  install: 'Start the service with Docker Compose, npm or Helm, and open the dashboard.',
  'guide-marketing': 'See how AI reads your site, and what to look at each week.',
  'guide-agency': 'Run one installation for all your clients.',
  privacy: 'Tell your data protection officer what is stored, where, and for how long.',
  troubleshooting: 'Find out what is wrong, and fix it.',
  glossary: 'What the terms in the reports mean.',
  reports: 'Read each report, and know how its figures are counted.',
  alerts: 'Get a message when AI traffic changes: by email, Slack or webhook.',
  sharing: 'Show reports without an account, mail them, and embed a chart.',
  settings: 'Change a property: name, time zone, retention, bot lists.',
  people: 'Invite people, choose what they see, and issue API tokens.',
  'sign-in': 'Let people sign in with OpenID Connect besides a password, or instead.',
  'sending-data': 'Connect what reports visits: endpoints, keys and formats.',
  collector: 'Report visits as they happen, from a Worker on your Cloudflare zone.',
  'log-sources': 'Set up Logpush, CloudFront, Fastly, Vercel, Netlify, nginx and others.',
  'tail-and-import': 'Follow a growing access log, or import old ones.',
  node: 'Report visits from inside a Node application.',
  wordpress: 'Report visits from WordPress with the plugin.',
  sdk: 'Record how people arrive, so that conversions can be matched.',
  webhooks: 'Post purchases, leads and sign-ups from a server, a CRM or a form.',
  shops: 'Let WooCommerce and Shopify send their orders and refunds.',
  forwarding: 'Send matched conversions to the ad platforms that you connect.',
  agents: 'Find, verify and call the tools that a site offers in its signed manifest.',
  api: 'Read and change everything from your own programs.',
  configuration: 'Look up every environment variable, with its default.',
  limits: 'Set quotas and retention, and export or delete data.',
  cli: 'Do on the command line what the dashboard does, and more.',
  backup: 'Back up a running service into one file, and restore it.',
  upgrading: 'Know what a version promises, and move to the next one.',
  runbook: 'Find out what is wrong with a node, and what to do.',
  moving: 'Move to PostgreSQL and ClickHouse, or back, with nothing lost.',
  clickhouse: 'Store hits on a ClickHouse server instead of the embedded engine.',
  figures: 'See what was measured, and measure it again.',
  dependencies: 'See what each dependency does, and who maintains it.',
  releasing: 'Build, check and publish a version.',
  writing: 'Write documentation, messages and comments in our style.',
  changelog: 'See what changed in each version.',
  contributing: 'Set up the repository, and add a page, a report or a source.',
  security: 'Report a vulnerability.',
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
