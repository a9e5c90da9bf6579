/** `ghostlight spool`: what waits on this node's disk, and emptying it before the node is removed. */
import { counted, size } from '../common/index.ts';
import { CommandError, type Group } from './command.ts';

interface SpoolStatus {
  readonly pending_rows: number;
  readonly pending_events: number;
  readonly bytes: number;
  readonly oldest_seconds: number;
  readonly drained?: boolean;
}

const DRAIN_SECONDS = 300;

const waiting = ({ pending_rows: hits, pending_events: events }: SpoolStatus): string =>
  `${counted(hits, ['hit', 'hits'])} and ${counted(events, ['browser event', 'browser events'])}`;

export const spool: Group = {
  name: 'spool',
  summary: 'show what waits on disk, or stop intake and ship all of it',
  default: 'status',
  subcommands: [
    {
      name: 'status',
      summary: 'show how much waits in this node’s spool, and for how long',
      json: 'GET /api/v1/spool',
      examples: [{ does: 'This node’s spool', command: 'ghostlight spool status' }],
      async run({ service }) {
        const data = (await service.call('GET', '/api/v1/spool')) as SpoolStatus;
        return {
          data,
          text: `Waiting: ${waiting(data)}, ${size(data.bytes)}, the oldest for ${Math.round(data.oldest_seconds)} s.`,
        };
      },
    },
    {
      name: 'drain',
      summary: 'stop ingest and ship the spool, before you remove this node',
      about: `Intake returns 503 from then on, until the service starts again. Gives up after ${DRAIN_SECONDS} s; run it again then.`,
      json: 'POST /api/v1/spool/drain',
      examples: [{ does: 'The last thing that a node does', command: 'ghostlight spool drain' }],
      async run({ service, print }) {
        print('Intake is closed (503); shipping what waits …');
        const data = (await service.call('POST', '/api/v1/spool/drain', {
          timeout_seconds: DRAIN_SECONDS,
        })) as SpoolStatus;
        if (data.drained !== true)
          throw new CommandError(
            `After ${DRAIN_SECONDS} s there are still ${waiting(data)} waiting. Is the warehouse reachable? Run this again.`,
          );
        return { data, text: 'The spool is empty: you can remove this node.' };
      },
    },
  ],
};
