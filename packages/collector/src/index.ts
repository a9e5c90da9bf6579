export type { CollectorEnv } from './platform.ts';
