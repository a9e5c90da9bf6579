export * from './hit.ts';
export * from './lists.ts';
