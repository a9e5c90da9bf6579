/** Delivery: what is due leaves, once where a platform counts twice, and what became of it is written down. */

export { createDelivery } from './delivery.ts';
export { SEALED_REASON } from './outcome.ts';
export * from './ports.ts';
export { UNREADABLE } from './unreadable.ts';
