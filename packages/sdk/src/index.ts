/** Entry of the package. Importing does nothing: the first call makes the page's client, or finds the one that a script has made. */
import type { Ghostlight } from './api.ts';
import { install } from './install.ts';

export type * from './api.ts';
export { VERSION } from './version.ts';

export const init: Ghostlight['init'] = (options) => install().init(options);
export const page: Ghostlight['page'] = (params) => install().page(params);
export const track: Ghostlight['track'] = (name, ...params) => install().track(name, ...params);
export const identify: Ghostlight['identify'] = (identity) => install().identify(identity);
export const getVisitorId: Ghostlight['getVisitorId'] = () => install().getVisitorId();
export const getSessionId: Ghostlight['getSessionId'] = () => install().getSessionId();
export const getAttribution: Ghostlight['getAttribution'] = () => install().getAttribution();
export const setConsent: Ghostlight['setConsent'] = (consent) => install().setConsent(consent);
export const getConsent: Ghostlight['getConsent'] = () => install().getConsent();
export const reset: Ghostlight['reset'] = () => install().reset();
export const ready: Ghostlight['ready'] = (callback) => install().ready(callback);
