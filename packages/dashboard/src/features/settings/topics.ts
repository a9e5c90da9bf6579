/** The topics of the settings, each at an address of its own. The index beside them and the command palette are made of this list. */

interface Setting {
  /** The fragment of its address. */
  readonly id: string;
  readonly label: string;
  /** Other words that the command palette finds it by. */
  readonly words: string;
}

type Owner = 'This property' | 'You' | 'This installation';

interface Topic {
  readonly view: string;
  readonly label: string;
  /** Whom it concerns. */
  readonly of: Owner;
  /** What is found there, in short. */
  readonly about: string;
  readonly settings: readonly Setting[];
}

/** A topic that is a page of its own, with its own key and entry in the palette. */
export const SHARING = {
  label: 'Sharing',
  of: 'This property',
  about: 'Share links, scheduled reports',
} as const satisfies Partial<Topic>;

/** The first one opens at the page's own address. */
export const TOPICS = [
  {
    view: 'general',
    label: 'General',
    of: 'This property',
    about: 'Name, domain, time zone',
    settings: [
      { id: 'property', label: 'Name, domain and time zone', words: 'rename property zone' },
      { id: 'attribution-id', label: 'Attribution ID', words: 'property uuid' },
      { id: 'search-crawlers', label: 'Search crawlers', words: 'googlebot bingbot' },
      { id: 'delete', label: 'Delete this property', words: 'remove danger' },
    ],
  },
  {
    view: 'data',
    label: 'Data',
    of: 'This property',
    about: 'Retention and quota',
    settings: [
      { id: 'quota', label: 'Quota', words: 'limit visits a day' },
      { id: 'retention', label: 'Retention', words: 'keep delete old data days privacy' },
    ],
  },
  {
    view: 'appearance',
    label: 'Appearance',
    of: 'You',
    about: 'Light or dark',
    settings: [{ id: 'theme', label: 'Theme', words: 'dark light mode colours appearance' }],
  },
  {
    view: 'lists',
    label: 'Bot lists',
    of: 'This installation',
    about: 'What tells bots from fakes',
    settings: [
      { id: 'lists', label: 'Bot lists', words: 'published ranges update freshness verification' },
      { id: 'own-bots', label: 'Custom bots', words: 'add crawler installation' },
    ],
  },
  {
    view: 'installation',
    label: 'Installation',
    of: 'This installation',
    about: 'Health, version, addresses',
    settings: [
      { id: 'health', label: 'Health', words: 'status spool' },
      { id: 'installation', label: 'Details', words: 'installation version address' },
    ],
  },
] as const satisfies readonly Topic[];

export type SettingsView = (typeof TOPICS)[number]['view'];

export interface SettingsSearch {
  view?: SettingsView;
}

export const topicOf = (view: SettingsView) => TOPICS.find((topic) => topic.view === view) ?? TOPICS[0];

/** Reads untrusted search parameters; defaults are left out. */
export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const topic = TOPICS.slice(1).find(({ view }) => view === search['view']);
  return topic === undefined ? {} : { view: topic.view };
}

/** The search parameters that open a topic. */
export const searchOf = (view: SettingsView): SettingsSearch => readSettingsSearch({ view });
