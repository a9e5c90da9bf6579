/** Destinations: what each ad platform takes, in which form, and what it answers. Pure. */

export { type DestinationSettings, decide } from './decide.ts';
export { type AnyDestination, define } from './define.ts';
export { isTooOld, notBefore } from './gates.ts';
export { countryCode } from './identifiers/index.ts';
export * from './port.ts';
export { DESTINATIONS } from './register.ts';
