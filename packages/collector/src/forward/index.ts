export { createForwarder, type Forwarder } from './forwarder.ts';
export type { LogObject } from './log-object.ts';
