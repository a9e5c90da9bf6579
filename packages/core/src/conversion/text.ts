/** Senders' texts as we keep them. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no NUL, and a line break in an order number forges a log line.
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** One line that UTF-8 can write. */
export const cleanText = (text: string): string => text.toWellFormed().replace(CONTROL, ' ').trim();
