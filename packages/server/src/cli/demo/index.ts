import type { Leaf } from '../command.ts';

export const demo: Leaf = {
  name: 'demo',
  summary: 'start with a demo shop behind the real collector, and realistic visitors',
  about: 'Everything it keeps is in the folder "demo" of DATA_DIR. `npm run demo` is the same.',
  examples: [{ does: 'On another port', command: 'PORT=8081 ghostlight demo' }],
  // Read when it runs, as the service is by the commands that open it: every other one starts in half the time.
  run: async (context) => await (await import('./demo.ts')).run(context),
};
