import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';

/** The `code` of an error: the page's code could not be loaded. */
export const NOT_LOADED = 'page_not_loaded';

/**
 * A page that loads when it is opened. If its code can't be loaded, an error with a button is shown: by default the router
 * would reload the document, which shows the browser's error page when the service is unreachable.
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
