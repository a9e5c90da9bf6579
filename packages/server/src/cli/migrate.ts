/** `ghostlight migrate`: brings both stores to this version's tables and stops; for roll-outs that migrate before they start nodes. */
import { quietly } from './client.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'bring the stores to this version and exit',
  async run({ config, print }) {
    // Opening the service migrates both stores under the database lock; there is no second way to do it.
    const { createService } = await import('../service.ts');
    const service = await createService(quietly(config), { listen: false, needsWarehouse: true });
    await service.stop();
    print('Both stores are up to date.');
  },
};
