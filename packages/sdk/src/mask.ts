/** Takes email addresses, telephone numbers and signed tokens (JWT) out of what describes a page, before it leaves the browser. */

/** Longest text that is sent. The cut comes first: a link of a megabyte must not keep the expressions busy. */
const MAX_LENGTH = 2_048;

/** Both as they stand and as an address writes them (`%40`, `%2B`). Numbers in international form alone: other long ones are orders and articles. */
export const mask = (text: string): string =>
  text
    .slice(0, MAX_LENGTH)
    .replace(/[^\s/?&=@]+(@|%(25)*40)[^\s/?&=@]+|eyJ[\w.-]+/g, '***')
    .replace(/(\+|%2B)[1-9]([\d ().-]|%20){6,24}/gi, '***');
