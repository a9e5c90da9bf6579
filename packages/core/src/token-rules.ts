/** What a bot's token must be before a list takes it, wherever the list comes from: our own maintenance, a published list, an operator. */
import { compileTokens, MAX_TOKEN_LENGTH } from './tokens.ts';

/** A user agent of the vectors. */
export interface KnownUserAgent {
  readonly user_agent: string;
  /** The bot that it names; null: no bot may have it. */
  readonly bot: string | null;
}

const SHORTEST_TOKEN = 5;
/** A token without any of these reads like an ordinary word, and will be found in ordinary user agents. */
const MARKER = /bot|spider|crawl|agent|fetch|scrap|index|-|\d|\./;

/**
 * @param token lower-case
 * @param known the vectors' user agents
 * @returns why it may not enter, to stand after "the token is" or by itself; null when it may
 */
export function tokenFault(token: string, known: readonly KnownUserAgent[]): string | null {
  if (!/^[a-z0-9][\x20-\x7e]*[a-z0-9]$/.test(token) || token !== token.toLowerCase())
    return 'not lower-case printable ASCII that begins and ends with a letter or digit';
  if (token.length > MAX_TOKEN_LENGTH) return 'too long';
  if (token.length < SHORTEST_TOKEN) return 'too short';
  if (!MARKER.test(token)) return 'a plain word';
  const matcher = compileTokens([{ pattern: token }]);
  const hit = known.find(({ user_agent, bot }) => bot === null && matcher.match(user_agent) !== null);
  return hit === undefined ? null : `part of a known user agent that isn’t an AI bot: ${hit.user_agent}`;
}
