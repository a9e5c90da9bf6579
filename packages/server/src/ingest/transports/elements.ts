/** The elements of a JSON body. */
import { ServiceError } from '../../common/index.ts';

/**
 * The elements of a body. A single object is an array of one.
 * @throws ServiceError `malformed_body` for anything but an array or an object
 */
export function parseElements(text: string): unknown[] {
  let value: unknown;
  try {
    // Some HTTP clients of Windows write a byte order mark.
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new ServiceError('malformed_body', 'The body is not JSON. Send a JSON array of log objects.');
  }
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return [value];
  throw new ServiceError('malformed_body', 'The body is JSON, but neither an array nor an object.');
}
