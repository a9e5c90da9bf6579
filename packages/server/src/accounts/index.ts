/** Accounts: who is calling, and the people, organizations and tokens behind it. */
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.ts';
export type { Peer } from './cookies.ts';
export { examineProvider } from './oidc/examine.ts';
