/**
 * NUL is refused before a route sees it: PostgreSQL can't hold it in a text, SQLite can, and nothing that people write has one. In a path nothing is
 * served there; anywhere else the caller is told.
 */
import { ServiceError } from '../kit/index.ts';
import { notFound } from './problem.ts';

/** @param url of the request @throws ServiceError `not_found`, `invalid` */
export function refuseNul(url: string): void {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path.includes('%00')) throw notFound(new URL(path, 'http://localhost').pathname);
  if (mark !== -1 && url.includes('%00', mark)) throw hasNul('A query parameter');
}

/** @param body JSON, as received @throws ServiceError `invalid` */
export function refuseNulIn(body: Buffer): void {
  if (body.includes(0)) throw hasNul('The body');
  for (let at = body.indexOf(ESCAPE); at !== -1; at = body.indexOf(ESCAPE, at + 1)) {
    let backslashes = 1;
    while (body[at - backslashes] === BACKSLASH) backslashes += 1;
    // An even number of them is text about NUL, not NUL.
    if (backslashes % 2 === 1) throw hasNul('The body');
  }
}

const ESCAPE = '\\u0000';
const BACKSLASH = 0x5c;

function hasNul(where: string): ServiceError {
  return new ServiceError('invalid', `${where} contains the character NUL. Leave it out.`);
}
