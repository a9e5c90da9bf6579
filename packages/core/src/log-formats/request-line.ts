/** `GET /path?query HTTP/1.1`, as clients send it and logs repeat it. */

export interface RequestLine {
  readonly method: string;
  /** Path and query, raw. */
  readonly pathname: string;
  /** Of an absolute address (`GET http://host/path`); empty for the usual form. */
  readonly host: string;
  readonly scheme: '' | 'http' | 'https';
}

const METHOD = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const PROTOCOL = / HTTP\/\d(?:\.\d)?$/;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([\s\S]*)$/i;
const SLASH = 0x2f;

/**
 * @returns null where no page was asked for: nothing was sent, or bytes of another protocol, or the request was for the server itself (`*`) or for a
 * tunnel
 */
export function parseRequestLine(line: string): RequestLine | null {
  const space = line.indexOf(' ');
  if (space === -1) return null;
  const method = line.slice(0, space);
  if (!METHOD.test(method)) return null;
  const protocol = PROTOCOL.exec(line);
  const target = line.slice(space + 1, protocol === null ? line.length : protocol.index);
  // The oldest form of a request has no protocol, one method and no blanks.
  if (protocol === null && (method !== 'GET' || target.includes(' '))) return null;
  return parseTarget(method, target);
}

/** @param target path and query, or an absolute address */
export function parseTarget(method: string, target: string): RequestLine | null {
  if (target.charCodeAt(0) === SLASH) return { method, pathname: target, host: '', scheme: '' };
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === '') return null;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return {
    method,
    pathname: rest.startsWith('/') ? rest : `/${rest}`,
    host,
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
  };
}
