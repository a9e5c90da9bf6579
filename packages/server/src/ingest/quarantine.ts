/**
 * Redacts a rejected element before it is kept for the setup checker. It works on text, because what was rejected may be no JSON at all;
 * where it can't tell, it takes out more than needed.
 */

/** A kept body is never longer than this many UTF-16 code units. */
export const MAX_QUARANTINED_BODY = 8 * 1024;

const IP_FIELD =
  /("(?:ip|clientip|client_ip|x-forwarded-for|originip|remote_addr)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^,}\s]+)/gi;
/** Members whose values are a visitor's business as a whole, object or text. */
const PRIVATE_MEMBER = /"(?:query_params|query|querystring|cookies?|requestheaders)"\s*:\s*/gi;
/** Behind a `?`, in paths and referrers: parameter names stay, values go. */
const URL_QUERY = /\?[^"\s]*/g;
const PARAMETER_VALUE = /=[^&#"\s]*/g;
const EMAIL = /[A-Za-z0-9._%+-]{1,64}(?:@|%40)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/gi;
/** `Chrome/126.0.0.0` looks like an address; behind a product's slash it is a version, behind a path's it is none. */
const IPV4 =
  /(?<![\d.]|[A-Za-z]\/)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<=\/(?:ip|users?|clients?|hosts?|by-ip|whois)\/)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gi;
/** All eight groups, or a `::`: anything less is a time of day. */
const IPV6 =
  /(?<![0-9a-z:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f:]{0,30}::[0-9a-f:.]{0,45})(?![0-9a-z:])/gi;
const KEY = /\b(?:svc_(?:cf|wh)|ght|whsec)_[0-9A-Za-z+/=_-]+/g;
/** What opens something, by its name, in paths, fragments and members, in escapes or not: `;token=`, `#access_token=`, `%3Ftoken=`. */
const NAMED_SECRET =
  /((?:token|secret|passw(?:or)?d|api[_-]?key|authorization|signature|session(?:[_-]?id)?|jsessionid)(?:=|%3d))[^&#;"\s]+/gi;
const SECRET_MEMBER =
  /("[\w-]{0,40}(?:authorization|token|secret|password|api_?key)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;
const SLACK = /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]+/gi;
/** With a plus, or in groups: a plain number is an order as often. */
const PHONE = /(?<![\w.])\+\d[\d ().-]{6,20}\d(?![\w.])|(?<![\w.])\(?\d{3}\)?[ -]\d{3}[ -]\d{4}(?![\w.])/g;

/** @param body the element as received @returns what may be kept: bounded, without addresses, query values, e-mails and keys */
export function quarantineBody(body: string): string {
  // Cut first: nothing behind the cut is ever looked at, so a hostile element costs what 8 KiB cost.
  const bounded = body.slice(0, MAX_QUARANTINED_BODY).toWellFormed();
  return withoutPrivateMembers(bounded)
    .replace(IP_FIELD, '$1"[address]"')
    .replace(URL_QUERY, (query) => query.replace(PARAMETER_VALUE, '=[redacted]'))
    .replace(SECRET_MEMBER, '$1"[redacted]"')
    .replace(NAMED_SECRET, '$1[redacted]')
    .replace(SLACK, '$1[redacted]')
    .replace(KEY, '[key]')
    .replace(PHONE, '[phone]')
    .replace(EMAIL, '[e-mail]')
    .replace(IPV4, '[address]')
    .replace(IPV6, '[address]')
    .slice(0, MAX_QUARANTINED_BODY);
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
