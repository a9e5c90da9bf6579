/** `ghostlight migrate`: brings both stores to this version's tables and stops; for roll-outs that migrate before they start nodes. */
import { quietly } from './client.ts';
import type { Leaf } from './command.ts';

export const migrate: Leaf = {
  name: 'migrate',
  summary: 'bring the stores to this version and exit',
  json: '{"up_to_date"}',
  about: 'A start does the same; this is for roll-outs that migrate before they start nodes.',
  examples: [{ does: 'Before the nodes of a new version start', command: 'ghostlight migrate' }],
  async run({ config }) {
    // Opening the service migrates both stores under the database lock; there is no second way to do it.
    const { createService } = await import('../service.ts');
    const service = await createService(quietly(config), { listen: false, needsWarehouse: true });
    await service.stop();
    return { data: { up_to_date: true }, text: 'Both stores are up to date.' };
  },
};
