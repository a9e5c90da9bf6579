/** A bound on the wait for a store that may be hanging. */
import { ServiceError } from './errors.ts';

/**
 * What was waited for, if it comes in time. The work itself continues; its result is then discarded.
 * @throws ServiceError `unavailable` after `ms`; what the work throws
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new ServiceError('unavailable', 'The database does not answer; try again in a moment.', {
          headers: { 'Retry-After': '5' },
        }),
      ),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
