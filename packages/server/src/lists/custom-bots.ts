/**
 * Bots that the operator adds: they reach the collectors like any other, marked `custom`. The list is one for the installation and open to
 * everyone, so only the operator may change it, and no organization sees another's bots in it.
 */
import { type BotLists, type BotPattern, type Intent, tokenFault } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import { ServiceError } from '../common/index.ts';

const MAX_CUSTOM_BOTS = 100;

export interface CustomBot {
  /** Lower-case; what is looked for in user agents. */
  readonly token: string;
  readonly name: string;
  readonly vendor: string;
  readonly intent: Intent;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

export type CustomBotFields = Omit<CustomBot, 'addedAt'>;

/**
 * @param lists what is in use, custom bots among it
 * @throws ServiceError `invalid` with a sentence for each refusal
 */
export function checkCustomBot(
  { token, name }: CustomBotFields,
  standing: readonly CustomBot[],
  lists: Pick<BotLists, 'bot_patterns'>,
): void {
  const fault = tokenFault(token, userAgents.cases);
  if (fault !== null) throw new ServiceError('invalid', `The token can't be used: it is ${fault}.`);
  const taken = lists.bot_patterns.find(({ pattern }) => pattern === token);
  if (taken !== undefined || standing.some((bot) => bot.token === token)) {
    const whose = taken?.bot_name ?? standing.find((bot) => bot.token === token)?.name;
    throw new ServiceError('invalid', `The list already has this token, for ${whose}.`);
  }
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  if (lists.bot_patterns.some(({ bot_name }) => same(bot_name)) || standing.some((bot) => same(bot.name)))
    throw new ServiceError('invalid', 'The list already has a bot with this name. Choose another name.');
  if (standing.length >= MAX_CUSTOM_BOTS) {
    throw new ServiceError(
      'invalid',
      `An installation can have ${MAX_CUSTOM_BOTS} bots of its own. Remove one first.`,
    );
  }
}

export const customPattern = ({ token, name, vendor, intent }: CustomBot): BotPattern => ({
  pattern: token,
  bot_name: name,
  intent,
  engine: `custom-${vendor
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)}`,
  vendor,
  custom: true,
});

/** The lists without earlier custom bots, and with the current ones; a token that the list has learned since is the list's. */
export function withCustomBots(lists: BotLists, custom: readonly CustomBot[]): BotLists {
  const own = lists.bot_patterns.filter((pattern) => pattern.custom !== true);
  const tokens = new Set(own.map(({ pattern }) => pattern));
  const added = custom.filter(({ token }) => !tokens.has(token)).map(customPattern);
  return { ...lists, bot_patterns: [...own, ...added] };
}
