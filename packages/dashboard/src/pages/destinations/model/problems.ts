/** What the service refused, at the fields that it named. */
import { ApiError } from '../../../api/client.ts';

/** Messages by the first name below a member of the body: `/config/pixel_id` of `config` is `pixel_id`. */
export function problemsAt(error: unknown, member: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!(error instanceof ApiError)) return found;
  for (const { pointer, message } of error.fields) {
    const [, first = '', second = ''] = pointer.split('/');
    const name = plainName(second);
    if (first === member && name !== '' && !found.has(name)) found.set(name, message);
  }
  return found;
}

/** Whether something was refused that no field shows. @param shown names of members and of their fields, `config/pixel_id` */
export function hasOther(error: unknown, shown: ReadonlySet<string>): boolean {
  if (!(error instanceof ApiError) || error.fields.length === 0) return error !== null;
  return error.fields.some(({ pointer }) => {
    const [, first = '', second = ''] = pointer.split('/');
    return !shown.has(second === '' ? first : `${first}/${plainName(second)}`);
  });
}

/** A name as it stands in a JSON pointer, RFC 6901. */
function plainName(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
