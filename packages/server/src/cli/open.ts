/** `ghostlight open`: the dashboard in a browser, at a page. */
import { spawn } from 'node:child_process';
import { type CommandContext, CommandError, type Leaf, UsageError } from './command.ts';

/** As the dashboard's `pages.tsx` names them; `open.test.ts` compares. */
export const PROPERTY_PAGES = [
  'overview',
  'share',
  'live',
  'visits',
  'bots',
  'pages',
  'failures',
  'trust',
  'referrals',
  'conversions',
  'deliveries',
  'destinations',
  'setup',
  'collectors',
  'keys',
  'sdk',
  'webhooks',
  'webmcp',
  'alerts',
  'settings',
  'sharing',
] as const;

/** Pages outside the properties, by their paths. */
export const OTHER_PAGES: Readonly<Record<string, string>> = {
  account: '/account',
  organization: '/organization',
  members: '/organization/members',
  tokens: '/organization/tokens',
  audit: '/organization/audit',
  docs: '/docs',
};

/** @returns false: no browser could be started */
export type Launch = (url: string) => Promise<boolean>;

export const openWith = (launch: Launch): Leaf => ({
  name: 'open',
  summary: 'open the dashboard, or one of its pages, in your browser',
  about: 'Where no browser can be started, as in an SSH session, it prints the address instead.',
  arguments: [
    {
      name: 'PAGE',
      about: 'a page, by its name in the address of the dashboard',
      optional: true,
      choices: [...PROPERTY_PAGES, ...Object.keys(OTHER_PAGES)],
    },
  ],
  options: [
    {
      name: 'property',
      value: 'ID',
      about: 'the property: attribution ID or domain; the only one needs none',
    },
    { name: 'print', about: 'only print the address' },
  ],
  json: '{"url", "opened"}',
  examples: [
    { does: 'The dashboard', command: 'ghostlight open' },
    { does: 'Visits as they arrive', command: 'ghostlight open live' },
    { does: 'One property of several', command: 'ghostlight open settings --property shop.example' },
    { does: 'Only the address, to open on another machine', command: 'ghostlight open trust --print' },
  ],
  async run(context) {
    const url = await addressOf(context);
    const opened = !context.flag('print') && (await launch(url));
    return { data: { url, opened }, text: opened ? `Opened ${url}` : url };
  },
});

export const open = openWith((url) => launchIn(process.platform, process.env, url));

async function addressOf(context: CommandContext): Promise<string> {
  const { service, argument, option } = context;
  const config = (await service.call('GET', '/api/v1/config')) as { app_base_url: string };
  const base = config.app_base_url.replace(/\/+$/, '');
  const page = argument('PAGE');
  const named = option('property');
  const other = OTHER_PAGES[page];
  if (other !== undefined) {
    if (named !== undefined)
      throw new UsageError(`The page ${page} is of no property; leave --property out.`);
    return base + other;
  }
  if (page === '' && named === undefined) return `${base}/`;
  return `${base}/p/${await propertyOf(context, named)}/${page === '' ? 'overview' : page}`;
}

async function propertyOf({ service }: CommandContext, named: string | undefined): Promise<string> {
  const { items } = (await service.call('GET', '/api/v1/properties')) as {
    items: readonly { id: string; domain: string }[];
  };
  if (named !== undefined) {
    const wanted = named.toLowerCase();
    const found = items.find(({ id, domain }) => id === wanted || domain === wanted);
    if (found !== undefined) return found.id;
    throw new CommandError(
      `No property has the ID or domain "${named}". "ghostlight properties list" shows them.`,
    );
  }
  const [only, another] = items;
  if (only === undefined)
    throw new CommandError('There is no property yet. Create one: ghostlight properties create --help');
  if (another !== undefined)
    throw new UsageError(
      'There are several properties: choose one with --property. "ghostlight properties list" shows them.',
    );
  return only.id;
}

/** @returns null: a browser would be on another machine, or there is no screen */
export function browserCommand(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  url: string,
): readonly [file: string, ...args: string[]] | null {
  if (env['SSH_CONNECTION'] !== undefined || env['SSH_TTY'] !== undefined) return null;
  if (platform === 'darwin') return ['open', url];
  // Without a shell, which would read the & of an address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  if (env['WSL_DISTRO_NAME'] !== undefined) return ['rundll32.exe', 'url.dll,FileProtocolHandler', url];
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((one) => one !== undefined && one !== '');
  return hasScreen ? ['xdg-open', url] : null;
}

async function launchIn(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  url: string,
): Promise<boolean> {
  const command = browserCommand(platform, env, url);
  if (command === null) return false;
  const [file, ...args] = command;
  // The browser outlives this command, and says nothing in its terminal.
  const browser = spawn(file, args, { detached: true, stdio: 'ignore' });
  return await new Promise((resolve) => {
    browser.once('error', () => resolve(false));
    browser.once('spawn', () => {
      browser.unref();
      resolve(true);
    });
  });
}
