import type { Command } from '../command.ts';

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'start with a demo shop behind the real collector, and realistic visitors',
  // Read when it runs, as the service is by the commands that open it: every other one starts in half the time.
  run: async (context) => await (await import('./demo.ts')).run(context),
};
