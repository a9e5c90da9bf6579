/** `ghostlight tail`: a command on the server that writes the log reads it, and sends only AI visits. */
import type { LinesSource } from '../source.ts';
import { COMMAND, visits } from './visits.ts';

export const tail: LinesSource = {
  ...COMMAND,
  about: {
    name: 'tail',
    title: 'Log files',
    inSentences: 'ghostlight-tail',
    keyHint: 'for ghostlight-tail on your server',
    kind: 'log',
    group: 'server',
    summary: 'A small command reads the access log on your server. Only AI visits are sent.',
    latestVersion: null,
    misspelled: /logs\/(?:tail|follow)/i,
    setup: {
      slug: 'tail',
      about:
        'A command reads the access log of nginx, Apache, Caddy, HAProxy or IIS where it is written, and sends only AI visits.',
      steps: [
        {
          title: 'Install the command',
          text: [
            'It needs Node.js 22.15 or later and no other package. It is already on the machine that runs this service: use “ghostlight tail” instead of “ghostlight-tail tail”.',
            'Until its first release is on npm, build it from this service’s repository: npm pack -w packages/tail, then npm install --global with that file.',
          ],
          snippets: [{ title: 'On the server', template: 'npm install --global ghostlight-tail' }],
        },
        {
          title: 'Look at what it would send',
          text: ['Nothing is sent. Name the file that your server writes.'],
          snippets: [
            {
              title: 'Dry run',
              template: 'ghostlight-tail tail /var/log/nginx/access.log --host {{domain|shell}} --dry-run',
            },
          ],
        },
        {
          title: 'Save the key',
          text: [
            'In a file that only its owner can read (chmod 600), so it stays out of the shell history and the process list.',
          ],
          snippets: [{ title: 'Contents of ghostlight.key', template: '{{key}}' }],
        },
        {
          title: 'Follow the log',
          text: [
            'The documentation has a systemd unit, and examples for Docker and for piped logs of Apache.',
          ],
          snippets: [
            {
              title: 'Start',
              template:
                'ghostlight-tail tail /var/log/nginx/access.log --key-file ghostlight.key \\\n  --to {{base_url}} --property {{attribution_id}} --host {{domain|shell}}',
            },
          ],
        },
      ],
    },
  },
  form: (request) => visits(request, { source: 'tail' }),
};
