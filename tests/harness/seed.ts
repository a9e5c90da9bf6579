/**
 * Property tests try the same cases in every run, so that a run which fails says something about the change, and not about its luck.
 * Other cases are looked for on purpose: `PROPERTY_SEED=random`, or the seed that a failure has printed.
 */
import fc from 'fast-check';

const SEED = 1;
const { PROPERTY_SEED: asked = SEED } = process.env;

if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) });
