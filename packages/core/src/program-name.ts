/** What a program calls itself in its user agent: the one part of it that logs which count requests keep, so that a crawler can be named. */

export interface ProgramName {
  /** As it is written. */
  readonly name: string;
  /** Its name is one that crawlers have. */
  readonly isNamed: boolean;
  /** The host of the address that it gives for questions; empty: none. */
  readonly contact: string;
}

const MAX_NAME = 64;
/** A host has at most so many characters, but one that is longer than this is none that people remember. */
const MAX_CONTACT = 100;
/** A program says what it is at the beginning: the rest would only cost time. */
const MAX_READ = 500;
const PRODUCT = /[A-Za-z][A-Za-z0-9_.-]*(?:bot|crawler|spider)\b|[A-Za-z][A-Za-z0-9_.-]*/gi;
const CRAWLER = /bot|crawl|spider|agent|fetch|scrap|index|archiv|scan|preview|monitor|check/i;
/** Parts of a browser's user agent, and words of its brackets. */
const OF_BROWSERS =
  /^(?:mozilla|applewebkit|khtml|like|gecko|chrome|headlesschrome|safari|mobile|version|compatible|windows|nt|macintosh|intel|mac|os|x|linux|android|x11|win64|x64|u|en|en-us|rv|firefox|edg|opr|ubuntu|iphone|ipad|cpu|k|build|trident|msie|https?|www|mailto)$/i;
const LINK = /(?:https?:\/\/|www\.)([a-z0-9.-]{1,253}\.[a-z]{2,63})/i;
const LINKS = /(?:https?:\/\/|www\.)\S+/gi;
/** What is before the @ has a bound: without, a long user agent would be read from each of its letters to its end. */
const MAIL = /[a-z0-9._-]{1,64}@([a-z0-9.-]{1,253}\.[a-z]{2,63})/i;
const MAILS = /\S{1,64}@\S+/g;

/** @returns null where it names nothing */
export function programName(userAgent: string): ProgramName | null {
  const read = userAgent.slice(0, MAX_READ);
  const hasMail = read.includes('@');
  const [link, mail] = [LINK.exec(read), hasMail ? MAIL.exec(read) : null];
  const first = mail !== null && (link === null || mail.index < link.index) ? mail : link;
  const contact = (first?.[1] ?? '').toLowerCase().replace(/^www\./, '');
  const unlinked = read.replaceAll(LINKS, ' ');
  const bare = hasMail ? unlinked.replaceAll(MAILS, ' ') : unlinked;
  const products = [...bare.matchAll(PRODUCT)]
    .map(([word]) => word.replace(/[.-]+$/, ''))
    .filter((word) => !OF_BROWSERS.test(word) && word.length > 1);
  const name = products.find((word) => CRAWLER.test(word)) ?? products[0];
  if (name === undefined) return null;
  return {
    name: name.slice(0, MAX_NAME),
    isNamed: CRAWLER.test(name),
    contact: contact.length > MAX_CONTACT ? '' : contact,
  };
}

/** The shortest user agent that says the same: `ExampleBot (+https://example.com)`. */
export const agentOf = ({ name, contact }: ProgramName): string =>
  contact === '' ? name : `${name} (+https://${contact})`;

/** @returns what is kept of a crawler that no list names; "" of other programs: a library has no name worth keeping */
export function crawlerAgent(userAgent: string): string {
  const program = programName(userAgent);
  return program !== null && (program.isNamed || program.contact !== '') ? agentOf(program) : '';
}
