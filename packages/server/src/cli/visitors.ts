/** `ghostlight visitors`: erasing the data of a person who asks for it. */
import { counted } from '../common/index.ts';
import { type Group, PROPERTY } from './command.ts';

interface Erased {
  readonly erasure_id: string;
  readonly visitors: number;
  readonly requests: number;
  readonly deliveries: number;
  readonly gone_by: string | null;
  readonly sessions: number;
  readonly touches: number;
  readonly conversions: number;
  readonly events: number | null;
}

export const visitors: Group = {
  name: 'visitors',
  summary: 'erase a visitor: sessions, touches, events and personal data, wherever they stand or wait',
  subcommands: [
    {
      name: 'erase',
      summary: 'erase a visitor, by visitor ID or email address',
      arguments: [
        PROPERTY,
        { name: 'VISITOR', about: 'a visitor ID, or an email address that conversions came with' },
      ],
      json: 'DELETE /api/v1/properties/{id}/visitors/{visitor_id}',
      examples: [
        {
          does: 'By the cookie’s ID',
          command: 'ghostlight visitors erase $PROPERTY 7b1f6a1e-0c55-4f9e-8f3b-0f3c7d1f2a44',
        },
        { does: 'By email address', command: 'ghostlight visitors erase $PROPERTY ada@shop.example' },
      ],
      async run({ service, argument }) {
        const visitor = argument('VISITOR');
        const path = `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}`;
        const erased = (await (visitor.includes('@')
          ? service.call('POST', `${path}/erasures`, { email: visitor })
          : service.call('DELETE', `${path}/visitors/${encodeURIComponent(visitor)}`))) as Erased;
        return { data: erased, text: linesOf(erased) };
      },
    },
  ],
};

function linesOf(erased: Erased): string[] {
  const { sessions, touches, conversions, events, requests, deliveries } = erased;
  return [
    `Erased ${counted(sessions, ['session', 'sessions'])}, ${counted(touches, ['touch', 'touches'])} and ${counted(events ?? 0, ['event', 'events'])}, and the visitor’s data in ${counted(conversions, ['conversion', 'conversions'])}. What still waits in a spool will not be stored.`,
    `Also erased from ${counted(requests, ['request', 'requests'])} of Recent Activity and ${counted(deliveries, ['delivery', 'deliveries'])}. The audit log calls this erasure ${erased.erasure_id}.`,
    ...(erased.gone_by === null ? [] : [`No trace is left on the disk after ${erased.gone_by}.`]),
    ...(events === null ? ['The warehouse is down: its events are erased as soon as it is back.'] : []),
  ];
}
