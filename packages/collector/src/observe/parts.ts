/** The room's second door, for `packages/node`, which watches requests in a frame of its own. Through the first the Worker would come in another order, and larger. */
export { type BotProof, type Judgement, judge } from './judgement.ts';
export { cut, parseQuery } from './text.ts';
export { rayOf, type Visit } from './visit.ts';
export { disclosure } from './wire.ts';
