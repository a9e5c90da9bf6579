/** Accounts: the room with its stores, and the mail that it sends. */
import { type Accounts, type AccountsOptions, createAccounts } from '../accounts/index.ts';
import type { Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import { createMailer, createSend } from '../outbound/index.ts';
import type { Stores } from './stores.ts';

export interface AccountsWiring extends Pick<AccountsOptions, 'organizationHooks'> {
  readonly adminToken: string;
  readonly appBaseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openAccounts(
  config: Config,
  { database, cipher }: Pick<Stores, 'database' | 'cipher'>,
  { adminToken, appBaseUrl, clock, log, ...hooks }: AccountsWiring,
): Accounts {
  return createAccounts(database, {
    adminToken,
    ...hooks,
    cipher,
    mailer: config.mail === null ? null : createMailer(config.mail),
    oidc:
      config.oidc === null
        ? null
        : { settings: config.oidc, send: createSend({ hosts: config.destinationHosts }) },
    appBaseUrl,
    clock,
    log: log.child({ room: 'accounts' }),
    origins: () => [new URL(appBaseUrl()).origin],
  });
}
