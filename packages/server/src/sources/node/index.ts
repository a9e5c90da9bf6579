/** `@ghostlight/node`: the collector inside an application on Node. */
import { application } from '../application/source.ts';
import { FRAMEWORKS, SETTINGS } from './snippets.ts';

export const node = application({
  name: 'node',
  title: 'Node.js application',
  inSentences: '@ghostlight/node',
  keyHint: 'for the collector in your Node application',
  kind: 'collector',
  group: 'application',
  summary: 'One line in Express, Fastify, Hono, Koa, Next or plain Node. Reports after the response.',
  // Held to `packages/node` by a test.
  latestVersion: '0.1.0',
  misspelled: /logs\/(?:node|express|fastify|hono|koa|next)/i,
  setup: {
    slug: 'node',
    about:
      'A package inside your Node application. It reports AI visits after the response, counts all others, and sees AI’s share of traffic.',
    steps: [
      {
        title: 'Install the package',
        text: ['It needs Node.js 22.1 or later and has no dependencies. Keep the key out of your code.'],
        snippets: [
          { title: 'In your project', template: 'npm install @ghostlight/node' },
          { title: 'Environment', template: 'GHOSTLIGHT_KEY={{key|shell}}' },
        ],
      },
      {
        title: 'Set where visits go',
        text: [
          'trustProxy is how many proxies are in front of your application: 0 for none, 1 for one load balancer. It can also name the header that your platform sets, such as cf-connecting-ip.',
          'Without it, addresses behind a proxy are not read, and no crawler can be verified by its address.',
        ],
        snippets: [{ title: 'ghostlight.js', template: SETTINGS }],
      },
      {
        title: 'Add it to your application',
        text: ['Before all other middleware, so that every answer is seen.'],
        snippets: FRAMEWORKS,
      },
    ],
  },
});
