/** The token of a one-time link (welcome, invitation, password reset). */

/** The longest token. */
const MAX_LENGTH = 1_024;

/**
 * Holds the token while its page is open. It comes in the fragment, which reaches no server, and is removed from the address before
 * rendering: it must not stay in the history, in a screenshot or in a copied address.
 */
export interface LinkToken {
  /** Takes the token of a fragment. @returns whether there was one */
  take(hash: string): boolean;
  current(): string | null;
}

export function createLinkToken(): LinkToken {
  let held: string | null = null;
  return {
    take(hash) {
      const token = new URLSearchParams(hash.replace(/^#/, '')).get('token');
      if (token === null || token === '' || token.length > MAX_LENGTH) return false;
      held = token;
      return true;
    },
    current: () => held,
  };
}
