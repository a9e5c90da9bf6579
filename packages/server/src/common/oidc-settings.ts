/** How people sign in with their company's provider (OpenID Connect), as the operator has set it. */
import type { PropertyRole, Role } from './scope.ts';

export interface OidcSettings {
  /** Without a trailing slash, unless the provider's own name has one: it is compared with what tokens say. */
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** On the button: "Continue with …". */
  readonly name: string;
  /** With blanks between them; `openid` is among them. */
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly groups: readonly GroupMapping[];
  /** Lower case. Of these the provider decides whose an address is; empty: it decides of none. */
  readonly allowedDomains: readonly string[];
  /** Whether an address counts as verified where the provider says nothing of it. */
  readonly trustEmail: boolean;
  /** No one signs in with a password. */
  readonly only: boolean;
  /** When a session ends that began at the provider, whatever is done in it. */
  readonly sessionHours: number;
}

/** What the members of a group are here. */
export interface GroupMapping {
  readonly group: string;
  readonly organizationId: string;
  readonly role: Role;
  /** Only with the role viewer; null: all properties. */
  readonly properties: readonly { readonly attributionId: string; readonly role: PropertyRole }[] | null;
}
