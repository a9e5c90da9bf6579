/** `ghostlight rollup`: what the nightly run does, now. */
import { counted } from '../common/index.ts';
import { CommandError, type Leaf } from './command.ts';

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

export const rollup: Leaf = {
  name: 'rollup',
  summary: 'count closed days for the reports, like the nightly job',
  about:
    'Counts days that have grown since they were last counted; with --date, one day of each property again, in its time zone.',
  options: [{ name: 'date', value: 'YYYY-MM-DD', about: 'the day to count again' }],
  json: 'POST /api/v1/rollup',
  examples: [
    { does: 'Every closed day that has grown', command: 'ghostlight rollup' },
    { does: 'One day again', command: 'ghostlight rollup --date 2026-11-20' },
  ],
  async run({ option, service }) {
    const date = option('date');
    const data = (await service.call('POST', '/api/v1/rollup', date === undefined ? {} : { date })) as Report;
    const { days, skipped, ran } = data;
    if (!ran) throw new CommandError('Another node is counting; try again when it is done.');
    const text = [
      ...days.map(
        ({ day, properties, hits }) =>
          `${day}: ${counted(hits, ['hit', 'hits'])} of ${counted(properties, ['property', 'properties'])}`,
      ),
      ...skipped.map(({ day, reason }) => `${day} left as it is: ${REASONS[reason] ?? reason}`),
    ];
    return { data, text: text.length === 0 ? 'No day has new hits since the last run.' : text };
  },
};
