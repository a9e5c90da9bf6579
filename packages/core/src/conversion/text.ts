/** Senders' texts as we keep them. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: A line break in an order number forges a log line.
const CONTROL = /[\u0001-\u001f\u007f]/g;

/** One line that UTF-8 can write. PostgreSQL stores no NUL: it is left out, as of everything that machines send. */
export const cleanText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '').replace(CONTROL, ' ').trim();
