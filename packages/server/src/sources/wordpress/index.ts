/** The WordPress plugin (`packages/wordpress/ghostlight`): it reports after the page, and leaves the verification to the service. */
import { application } from '../application/source.ts';

export const wordpress = application({
  name: 'wordpress',
  title: 'WordPress',
  inSentences: 'the WordPress plugin',
  keyHint: 'for the Ghostlight plugin in your WordPress',
  kind: 'collector',
  group: 'application',
  summary:
    'A plugin. Three values to paste in wp-admin, no server access. Pages served from a cache are not seen.',
  // Held to `packages/wordpress` by a test.
  latestVersion: '0.1.0',
  misspelled: /logs\/(?:wordpress|wp|woocommerce)/i,
  setup: {
    slug: 'wordpress',
    about:
      'A plugin for WordPress. It reports AI visits after the page is sent, needs no server access, and doesn’t slow pages down.',
    steps: [
      {
        title: 'Install the plugin',
        text: [
          'Open this address in your browser to download the plugin. In wp-admin, open Plugins → Add New → Upload Plugin, choose ghostlight.zip, and activate it.',
        ],
        snippets: [{ title: 'Download', template: '{{base_url}}/ghostlight.zip' }],
      },
      {
        title: 'Paste three values',
        text: ['In wp-admin, open Settings → Ghostlight. Save, and press “Send a test visit”.'],
        snippets: [
          { title: 'Address of the service', template: '{{base_url}}' },
          { title: 'Ingest key', template: '{{key}}' },
          { title: 'Attribution ID', template: '{{attribution_id}}' },
        ],
      },
      {
        title: 'Check two things there',
        text: [
          'Visitors’ addresses: choose the line that shows your own address. Until you choose, visits through a CDN or a proxy have no address, and their crawlers stay unknown.',
          'Page caches: pages that a cache answers never reach WordPress. That screen says whether a cache hides visits. If so, use ghostlight-tail on the server, or the collector on Cloudflare, instead.',
        ],
        snippets: [],
      },
    ],
  },
});
