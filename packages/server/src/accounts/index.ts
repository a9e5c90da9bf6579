/** Accounts: who is calling. */
export { type Accounts, type AccountsOptions, createAccounts, type Peer } from './accounts.ts';
