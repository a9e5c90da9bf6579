/** Where senders can put the key that may choose: a header of its own, or what HTTP has for it. */
import type { AuthForm } from '../source.ts';

export const API_KEY: AuthForm = { place: 'header', name: 'X-API-Key' };
export const BEARER: AuthForm = { place: 'bearer', name: 'Authorization' };
/** Any user; the key is the password. */
export const BASIC: AuthForm = { place: 'basic', name: 'Authorization' };
/** For platforms that take an address and nothing else. Addresses are not logged here; they are in the platform's own settings. */
export const IN_ADDRESS: AuthForm = { place: 'query', name: 'key' };

export const ANY_FORM: readonly AuthForm[] = [API_KEY, BEARER, BASIC, IN_ADDRESS];
