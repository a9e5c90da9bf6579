import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';

/** The `code` of an error: the page's own code did not arrive. */
export const NOT_LOADED = 'page_not_loaded';

/**
 * A page that loads when it is opened. Where its code does not arrive, the reader gets a sentence and a button: left to itself the router
 * would reload the whole document, which away from the service is the browser's own error page.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadOrSay = async (): Promise<Module> => {
    try {
      return await load();
    } catch (cause) {
      const error = new ApiError(
        0,
        'This page could not be loaded: the service can’t be reached, or it has been upgraded since this tab was opened.',
        [],
        NOT_LOADED,
      );
      error.cause = cause;
      throw error;
    }
  };
  return lazyRouteComponent(loadOrSay as never, name);
}
