/** Conversions: what SDK and webhook say, money, how people arrived, and what a conversion is credited to. Pure; no I/O. */
export * from './address.ts';
export * from './arrival.ts';
export * from './attribute.ts';
export * from './body.ts';
export * from './channels.ts';
export * from './credit.ts';
export * from './currencies.ts';
export * from './event.ts';
export { EXTRA_LIMITS } from './extra.ts';
export * from './mask.ts';
export * from './money.ts';
export * from './payment-hosts.ts';
export { readBrowserEvent } from './read-browser-event.ts';
export { readConversion } from './read-conversion.ts';
export { type SourceKind, sourceOfHost, sourceOfTag, type TrafficSource } from './sources.ts';
export * from './tags.ts';
export * from './topics.ts';
export * from './touch.ts';
