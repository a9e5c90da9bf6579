export { createObserver, type Observer, type Sighting } from './observer.ts';
