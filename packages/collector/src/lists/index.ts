export { type Download, download } from './download.ts';
export { COPY_SECONDS, copyKey, copyOf, keepCopy, readCopy, stamp } from './edge-copy.ts';
export { createLists, type ListSource, type Lists, type ListsDeps, type ListsInUse } from './lists.ts';
