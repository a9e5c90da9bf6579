/** `ghostlight spool`: what waits on this node's disk, and emptying it before the node goes for good. */
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';

interface SpoolStatus {
  pending_rows: number;
  pending_events: number;
  bytes: number;
  oldest_seconds: number;
  drained?: boolean;
}

const DRAIN_SECONDS = 300;

export const spool: Command = {
  name: 'spool',
  usage: 'status | drain',
  summary: 'show what waits on disk, or stop intake and ship all of it',
  async run({ words, config, print }) {
    const [verb = 'status'] = words;
    if (verb !== 'status' && verb !== 'drain')
      throw new CommandError(`Usage: ghostlight spool ${spool.usage}`);
    const client = await connect(config);
    try {
      if (verb === 'status') {
        const status = (await client.call('GET', '/api/v1/spool')) as SpoolStatus;
        print(
          `${status.pending_rows} hits and ${status.pending_events} browser events wait, ${status.bytes} bytes, the oldest for ${Math.round(status.oldest_seconds)} s.`,
        );
        return;
      }
      print('Intake is closed (503); shipping what waits …');
      const status = (await client.call('POST', '/api/v1/spool/drain', {
        timeout_seconds: DRAIN_SECONDS,
      })) as SpoolStatus;
      if (status.drained !== true) {
        throw new CommandError(
          `${status.pending_rows} hits and ${status.pending_events} browser events still wait after ${DRAIN_SECONDS} s. Is the warehouse reachable? Run this again.`,
        );
      }
      print('The spool is empty: this node can go.');
    } finally {
      await client.close();
    }
  },
};
