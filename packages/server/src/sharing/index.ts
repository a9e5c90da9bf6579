/** Sharing: public links to the reports of a property, and mails of reports to its people. */

export { endWithRights } from './rights.ts';
export { createSharing, type Sharing, type SharingOptions } from './sharing.ts';
