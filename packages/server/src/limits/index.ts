/** Limits for operators: what is deleted with a property or an organization, and how long the rest is kept. */

export { createDeletions, type Deletions } from './deletion/deletions.ts';
export { createLateRows, type LateRows } from './deletion/late-rows.ts';
export { createQuotas, type Quotas } from './quota/quotas.ts';
export { createOutlivedRows, type OutlivedRows } from './retention/outlived-rows.ts';
export { createRetention, type Retention } from './retention/retention.ts';
export { createTakeouts, type Takeouts } from './takeout/takeouts.ts';
