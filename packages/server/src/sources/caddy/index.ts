/** Caddy: its JSON as it comes. */
import { serverLog } from '../text-lines/server-log.ts';

export const caddy = serverLog({
  name: 'caddy',
  title: 'Caddy',
  summary: 'The access log of Caddy, in its default JSON format.',
  misspelled: /caddy/i,
  addressField: 'client_ip',
  steps: [
    {
      title: 'Turn the access log on',
      text: ['Behind a proxy, set trusted_proxies, so that client_ip is the visitor’s.'],
      snippets: [
        {
          title: 'Caddyfile, in the site’s block',
          template: ['log {', '\toutput file /var/log/caddy/access.json', '\tformat json', '}'].join('\n'),
        },
      ],
    },
  ],
});
