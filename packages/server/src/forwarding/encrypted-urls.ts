/**
 * Addresses in a config that may hold a key in their path or query: they are among the encrypted credentials, as `config.<member>`. The
 * config column has what may be shown of them.
 */
import type { AnyDestination, Credentials } from '../destinations/index.ts';

type Config = Readonly<Record<string, unknown>>;
type Sealing = Pick<AnyDestination, 'sealedUrls'>;

const PREFIX = 'config.';
/** The member of the config column that holds the shown forms: code that takes them for the addresses finds none. */
const SHOWN = 'sealed';
/** By so much of the path people tell their addresses apart. */
const BEGINNING = 4;
/** Of a shorter path nothing is shown. */
const SHORTEST_PATH = 12;
const SHOWN_FORM = new RegExp(`^https://[^/]+/[^/]{0,${BEGINNING}}…$`, 'u');
/** A shorter part of an address is a word, which would be taken out of other words. */
const SHORTEST_SECRET = 12;
const SHORTEST_SEARCH = 6;

const namesOf = ({ sealedUrls = [] }: Sealing): readonly string[] => sealedUrls;

export const isEncryptedMember = (name: string): boolean => name.startsWith(PREFIX);

/** Host and the beginning of the path: `https://crm.example/hook…`. */
export function shownUrl(url: string): string {
  if (SHOWN_FORM.test(url)) return url;
  const parsed = URL.parse(url);
  if (parsed === null) return '…';
  const path = parsed.pathname.slice(1);
  if (path === '' && parsed.search === '') return `https://${parsed.host}/`;
  const [word = ''] = path.length < SHORTEST_PATH ? [] : path.split('/');
  return `https://${parsed.host}/${word.slice(0, BEGINNING)}…`;
}

/** @param config as the platform's schema parsed it @returns the config column, and what is encrypted */
export function takenApart(
  platform: Sealing,
  config: Config,
): { readonly column: Config; readonly sealed: Credentials } {
  const urls = urlsIn(platform, config);
  if (urls.length === 0) return { column: config, sealed: {} };
  const open = Object.fromEntries(
    Object.entries(config).filter(([name]) => !namesOf(platform).includes(name)),
  );
  const shown = Object.fromEntries(urls.map(([name, url]) => [name, shownUrl(url)]));
  return {
    column: { ...open, [SHOWN]: shown },
    sealed: Object.fromEntries(urls.map(([name, url]) => [PREFIX + name, url])),
  };
}

/** The config as the platform takes it. Older rows have their addresses in the column. */
export function putTogether(platform: Sealing, column: Config, credentials: Credentials): Config {
  if (namesOf(platform).length === 0) return column;
  const { [SHOWN]: _, ...open } = column;
  const urls = Object.entries(credentials).filter(([name]) => isEncryptedMember(name));
  return { ...open, ...Object.fromEntries(urls.map(([name, url]) => [name.slice(PREFIX.length), url])) };
}

/** What of the config may be shown. */
export function shownConfig(platform: Sealing, column: Config): Config {
  if (namesOf(platform).length === 0) return column;
  const { [SHOWN]: shown, ...open } = column;
  const plain = urlsIn(platform, open).map(([name, url]) => [name, shownUrl(url)]);
  return { ...open, ...(shown as Config | undefined), ...Object.fromEntries(plain) };
}

/** Whether an address was given: absent, or as it was shown, it stays. */
export function isGiven(name: string, given: Config, shown: Config): boolean {
  return given[name] !== undefined && given[name] !== shown[name];
}

/** Whether the column of an earlier version still holds an address. */
export const isPlain = (platform: Sealing, column: Config): boolean => urlsIn(platform, column).length > 0;

/** Of credentials, opened: what must not be shown, and the addresses that requests go to. */
export function knownSecrets(
  credentials: Credentials,
  accessToken: string | null,
): { readonly secrets: readonly string[]; readonly addresses: readonly string[] } {
  const urls = Object.entries(credentials).flatMap(([name, url]) => (isEncryptedMember(name) ? [url] : []));
  const parsed = urls.map((url) => URL.parse(url)).filter((url) => url !== null);
  return {
    secrets: [
      ...Object.values(credentials),
      ...(accessToken === null ? [] : [accessToken]),
      ...parsed.flatMap(secretParts),
    ],
    addresses: [...urls, ...parsed.map(({ href }) => href)],
  };
}

function secretParts({ href, pathname, search, searchParams }: URL): string[] {
  const parts = [pathname, pathname + search, ...pathname.split('/'), ...searchParams.values()];
  return [
    href,
    ...parts.filter(({ length }) => length >= SHORTEST_SECRET),
    ...(search.length > SHORTEST_SEARCH ? [search.slice(1)] : []),
  ];
}

const urlsIn = (platform: Sealing, config: Config): [string, string][] =>
  namesOf(platform).flatMap((name): [string, string][] => {
    const url = config[name];
    return typeof url === 'string' ? [[name, url]] : [];
  });
