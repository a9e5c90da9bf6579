/** `ghostlight visitors`: forgetting somebody who asked for it. */
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';

interface Erased {
  sessions: number;
  touches: number;
  conversions: number;
  events: number | null;
}

export const visitors: Command = {
  name: 'visitors',
  usage: 'erase PROPERTY VISITOR',
  summary: 'erase a visitor: sessions, touches, events and personal data, wherever they stand or wait',
  async run({ words, config, print }) {
    const [verb, property, visitor] = words;
    if (verb !== 'erase' || property === undefined || visitor === undefined)
      throw new CommandError(`Usage: ghostlight visitors ${visitors.usage}`);
    const client = await connect(config);
    try {
      const path = `/api/v1/properties/${encodeURIComponent(property)}/visitors/${encodeURIComponent(visitor)}`;
      const { sessions, touches, conversions, events } = (await client.call('DELETE', path)) as Erased;
      print(
        `Erased ${sessions} sessions, ${touches} touches and ${events ?? 'no'} events, and who it was from ${conversions} conversions; what still waits in a spool is never stored.`,
      );
      if (events === null) print('The warehouse is away: its events are erased as soon as it is back.');
    } finally {
      await client.close();
    }
  },
};
