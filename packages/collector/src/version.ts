/** The build that every event names (`worker_version`); the same as the package's version. */
export const WORKER_VERSION = '0.5.0';
