/**
 * NUL, which PostgreSQL can't hold in a text and SQLite can: what people write in the management API is refused before a route sees it, so that both
 * answer alike. Of what machines send (hits, log lines, events, conversions) it is left out: `sources/fields/coerce.ts`, core's `cleanText`.
 */
import { type FieldError, ServiceError } from './errors.ts';

/** @param value a body, parameters: plain data @param where begins the sentence @throws ServiceError `invalid`, with the places */
export function refuseNulIn(value: unknown, where: string): void {
  const errors = nulPlaces(value);
  if (errors.length > 0)
    throw new ServiceError('invalid', `${where} contains the character NUL. Leave it out.`, { errors });
}

const MAX_PLACES = 20;

/** Not recursive: a body may be as deep as it is long. */
function nulPlaces(value: unknown): FieldError[] {
  const places: FieldError[] = [];
  const waiting: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value }];
  for (let next = waiting.pop(); next !== undefined && places.length < MAX_PLACES; next = waiting.pop()) {
    const { pointer } = next;
    if (typeof next.value === 'string' && next.value.includes('\0'))
      places.push({ pointer, message: 'Contains the character NUL.' });
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [name, member] of Object.entries(next.value)) {
      if (name.includes('\0')) places.push({ pointer, message: 'A name in it contains the character NUL.' });
      else
        waiting.push({
          pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          value: member,
        });
    }
  }
  return places;
}
