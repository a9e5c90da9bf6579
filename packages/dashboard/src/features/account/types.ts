import type { Role } from '../../api/types.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly organization: { readonly id: string; readonly name: string };
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** A second factor is on. */
  readonly totp: boolean;
  readonly recovery_codes_left: number;
  /** Active API tokens that they have made. */
  readonly api_tokens: number;
}

export interface TotpSetup {
  /** Base 32, to be typed. */
  readonly secret: string;
  readonly uri: string;
  /** Rows of 0 and 1 (dark), without a quiet zone. */
  readonly qr: { readonly size: number; readonly rows: readonly string[] };
}

export interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

export interface SignInSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly current: boolean;
}
