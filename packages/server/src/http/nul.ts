/** NUL in an address is refused before a route sees it (bodies: `common/nul.ts`). In a path the answer is 404; in a parameter it is a validation error. */
import { ServiceError } from '../common/index.ts';
import { notFound } from './problem.ts';

/** @param url of the request @throws ServiceError `not_found`, `invalid` */
export function refuseNul(url: string): void {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (path.includes('%00')) throw notFound(new URL(path, 'http://localhost').pathname);
  if (mark !== -1 && url.includes('%00', mark)) throw hasNul('A query parameter');
}

function hasNul(where: string): ServiceError {
  return new ServiceError('invalid', `${where} contains the character NUL. Leave it out.`);
}
