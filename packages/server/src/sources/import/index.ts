/** `ghostlight import`: visits of the past, up to as old as raw visits are kept. It changes days that are closed, so it takes keys of its own. */
import type { LinesSource } from '../source.ts';
import { COMMAND, visits } from '../tail/visits.ts';

export const imported: LinesSource = {
  ...COMMAND,
  about: {
    name: 'import',
    title: 'Import',
    inSentences: 'an import',
    keyHint: 'for importing past log files',
    kind: 'log',
    group: 'import',
    summary: 'Past log files, as far back as visits are kept. Closed days are counted again.',
    latestVersion: null,
    misspelled: /logs\/(?:import|backfill)/i,
    setup: {
      slug: 'import',
      about:
        'A command reads past access logs, compressed or not, and sends only AI visits. Repeats count once.',
      steps: [
        {
          title: 'Install the command',
          text: [
            'It needs Node.js 22.15 or later and no other package. It is already on the machine that runs this service: use “ghostlight import” instead of “ghostlight-tail import”.',
            'Until its first release is on npm, build it from this service’s repository: npm pack -w packages/tail, then npm install --global with that file.',
          ],
          snippets: [{ title: 'Where the files are', template: 'npm install --global ghostlight-tail' }],
        },
        {
          title: 'Save the key',
          text: [
            'In a file that only its owner can read (chmod 600), so it stays out of the shell history and the process list.',
          ],
          snippets: [{ title: 'Contents of ghostlight.key', template: '{{key}}' }],
        },
        {
          title: 'Import the files',
          text: [
            'The command lists the days that will change and asks before it sends. It can be stopped and started again.',
            'Use a key of the source “Import”: keys of other sources can’t change days older than 31 days. Revoke it afterwards.',
          ],
          snippets: [
            {
              title: 'Start',
              template:
                'ghostlight-tail import "/var/log/nginx/access.log*" --key-file ghostlight.key \\\n  --to {{base_url}} --property {{attribution_id}} --host {{domain|shell}}',
            },
          ],
        },
      ],
    },
  },
  ownKeysOnly: true,
  form: (request) => visits(request, { source: 'import', maxAgeMs: request.retentionMs }),
};
