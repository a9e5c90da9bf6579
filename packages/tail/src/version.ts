/** As package.json has it; a test compares. */
export const VERSION = '0.1.0';
