/** `ghostlight rollup`: what the nightly run does, now. */
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';

interface Report {
  readonly days: readonly { readonly day: string; readonly properties: number; readonly hits: number }[];
  readonly skipped: readonly { readonly day: string; readonly reason: string }[];
  readonly ran: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  open: 'the day is not over',
  older_than_retention: 'its hits are no longer all kept, so what was counted stays',
  no_hits: 'it has no hits, or fewer than were counted once',
};

export const rollup: Command = {
  name: 'rollup',
  usage: '[--date YYYY-MM-DD]',
  summary:
    'count closed days for the reports: those that have grown, or one day of each property again, in its time zone',
  async run({ options, config, print }) {
    const date = options.get('date');
    if (date === '') throw new CommandError(`Usage: ghostlight rollup ${rollup.usage}`);
    const client = await connect(config);
    try {
      const body = date === undefined ? {} : { date };
      const { days, skipped, ran } = (await client.call('POST', '/api/v1/rollup', body)) as Report;
      if (!ran) throw new CommandError('Another node is counting; try again when it is done.');
      for (const { day, properties, hits } of days)
        print(`${day}: ${hits} hits of ${properties} ${properties === 1 ? 'property' : 'properties'}`);
      for (const { day, reason } of skipped) print(`${day} left as it is: ${REASONS[reason] ?? reason}`);
      if (days.length + skipped.length === 0) print('Nothing has grown since the last time.');
    } finally {
      await client.close();
    }
  },
};
