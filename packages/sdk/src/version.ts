/** The build that every event names (`lib_version`). The same as in package.json: package.test.ts holds them together. */
export const VERSION = '0.1.0';
