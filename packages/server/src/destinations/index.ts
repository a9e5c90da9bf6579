/** Destinations: what each ad platform takes, in which form, and what it answers. Pure. */

export * from './port.ts';
