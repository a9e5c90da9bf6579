/** The version that every visit names (`worker_version`); the same as the package's. */
export const VERSION = '0.1.0';
