/** `ghostlight visitors`: forgetting somebody who asked for it. */
import { counted } from '../common/index.ts';
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';

interface Erased {
  erasure_id: string;
  visitors: number;
  requests: number;
  deliveries: number;
  gone_by: string | null;
  sessions: number;
  touches: number;
  conversions: number;
  events: number | null;
}

export const visitors: Command = {
  name: 'visitors',
  usage: 'erase PROPERTY VISITOR|EMAIL',
  summary: 'erase a visitor: sessions, touches, events and personal data, wherever they stand or wait',
  async run({ words, config, print }) {
    const [verb, property, visitor] = words;
    if (verb !== 'erase' || property === undefined || visitor === undefined)
      throw new CommandError(`Usage: ghostlight visitors ${visitors.usage}`);
    const client = await connect(config);
    try {
      const path = `/api/v1/properties/${encodeURIComponent(property)}`;
      const erased = (await (visitor.includes('@')
        ? client.call('POST', `${path}/erasures`, { email: visitor })
        : client.call('DELETE', `${path}/visitors/${encodeURIComponent(visitor)}`))) as Erased;
      const { sessions, touches, conversions, events, requests, deliveries } = erased;
      print(
        `Erased ${counted(sessions, ['session', 'sessions'])}, ${counted(touches, ['touch', 'touches'])} and ${counted(events ?? 0, ['event', 'events'])}, and the visitor’s data in ${counted(conversions, ['conversion', 'conversions'])}. What still waits in a spool will not be stored.`,
      );
      print(
        `Also erased from ${counted(requests, ['request', 'requests'])} of Recent Activity and ${counted(deliveries, ['delivery', 'deliveries'])}. The audit log calls this erasure ${erased.erasure_id}.`,
      );
      if (erased.gone_by !== null) print(`No byte of it is on the disk from ${erased.gone_by} on.`);
      if (events === null) print('The warehouse is away: its events are erased as soon as it is back.');
    } finally {
      await client.close();
    }
  },
};
