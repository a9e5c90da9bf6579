/** The Live window in numbers, as the API tells it. */
import { z } from '@hono/zod-openapi';
import type { LiveSummary } from '../warehouse/index.ts';

const count = z.number().int();
const counts = {
  ai_bot: count,
  ai_referral: count,
  sample: count,
  search_engine: count,
  event: count,
  spoofed: count,
};

export const summarySchema = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    totals: z.object(counts).openapi({
      description:
        'Stored rows of the whole window; spoofed are those of ai_bot. Samples count once, whatever their weight',
    }),
    minutes: z.array(z.object({ at: z.iso.datetime(), ...counts })).openapi({
      description:
        '30 whole minutes (UTC), oldest first; the rest of the minute in which the window begins is in the totals alone',
    }),
  })
  .openapi('LiveSummary');

export function summaryView({ from, to, totals, minutes }: LiveSummary): z.infer<typeof summarySchema> {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    totals: { ...totals },
    minutes: minutes.map(({ at, ...counted }) => ({ at: new Date(at).toISOString(), ...counted })),
  };
}
