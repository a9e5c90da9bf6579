/**
 * Redacts a rejected element before it is kept for the setup checker. It works on text, because what was rejected may be no JSON at all;
 * where it can't tell, it takes out more than needed.
 */
import { maskText } from '../common/index.ts';

/** A kept body is never longer than this many UTF-16 code units. */
export const MAX_QUARANTINED_BODY = 8 * 1024;

const IP_FIELD =
  /("(?:ip|cliip|clientip|client_ip|client\.address|x-forwarded-for|originip|remote_addr)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^,}\s]+)/gi;
/** Members whose values are a visitor's business as a whole, object or text. */
const PRIVATE_MEMBER =
  /"(?:query_params|query|query_?str(?:ing)?|args|url\.query|cookies?|requestheaders)"\s*:\s*|"key"\s*:\s*"(?:url\.query|http\.request\.header\.cookie)"\s*,\s*"value"\s*:\s*/gi;
/** Behind a `?`, in paths and referrers: parameter names stay, values go. */
const URL_QUERY = /\?[^"\s]*/g;
const PARAMETER_VALUE = /=[^&#"\s]*/g;

/** Lines of text have queries and cookies in columns of their own, without a `?` before them. */
const COLUMN_VALUE = /(?<=[\w.~%-])=[^&;\s"|]*/g;
const HAS_COLUMNS = /\t|\|[^|]*\||^(?:\S+ ){6}/;
const JSON_BEGINS = /^\s*[{["]/;

/** @param body the element as received @returns what may be kept: bounded, without addresses, query values, emails and keys */
export function quarantineBody(body: string): string {
  // Cut first: nothing behind the cut is ever looked at, so a hostile element costs what 8 KiB cost.
  const bounded = body.slice(0, MAX_QUARANTINED_BODY).toWellFormed();
  const structured = withoutPrivateMembers(bounded)
    .replace(IP_FIELD, '$1"[address]"')
    .replace(URL_QUERY, (query) => query.replace(PARAMETER_VALUE, '=[redacted]'));
  const isText = !JSON_BEGINS.test(bounded) && HAS_COLUMNS.test(bounded);
  const columns = isText ? structured.replace(COLUMN_VALUE, '=[redacted]') : structured;
  return maskText(columns).slice(0, MAX_QUARANTINED_BODY);
}

function withoutPrivateMembers(text: string): string {
  let redacted = '';
  let from = 0;
  PRIVATE_MEMBER.lastIndex = 0;
  for (let match = PRIVATE_MEMBER.exec(text); match !== null; match = PRIVATE_MEMBER.exec(text)) {
    redacted += `${text.slice(from, match.index + match[0].length)}"[redacted]"`;
    from = endOfValue(text, match.index + match[0].length);
    PRIVATE_MEMBER.lastIndex = from;
  }
  return redacted + text.slice(from);
}

/** Where the JSON value that begins at `start` ends; the end of the text when it is cut. Braces inside of strings don't count. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (depth === 0 && (char === ',' || char === '}' || char === ']')) return i;
    else if (char === '}' || char === ']') depth -= 1;
  }
  return text.length;
}
