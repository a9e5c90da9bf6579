/** What the flows of this room share: its stores, and what every flow asks of them. */

import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Mailer } from '../outbound/index.ts';
import type { Credentials } from './credentials.ts';
import type { Guesses } from './guesses.ts';
import type { Links } from './links.ts';
import type { Organizations } from './organizations.ts';
import type { SecondFactors } from './second-factor.ts';
import type { SignInSessions } from './sessions.ts';

export interface Parts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly credentials: Credentials;
  readonly secondFactors: SecondFactors;
  readonly sessions: SignInSessions;
  readonly organizations: Organizations;
  readonly links: Links;
  readonly guesses: Guesses;
  /** null: nothing is mailed. */
  readonly mailer: Mailer | null;
}

/** Email addresses are compared in lower case, like the mail servers that matter do. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
