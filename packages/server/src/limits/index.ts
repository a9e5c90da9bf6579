/** Limits for operators: what is deleted with a property or an organization, and the proof that nothing is left of it. */

export { createDeletions, type Deletions } from './deletion/deletions.ts';
export { createLateRows, type LateRows } from './deletion/late-rows.ts';
