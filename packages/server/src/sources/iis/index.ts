/** IIS: W3C extended logs. */
import { serverLog } from '../text-lines/server-log.ts';

export const iis = serverLog({
  name: 'iis',
  title: 'IIS',
  summary: 'W3C logs of Internet Information Services.',
  misspelled: /\biis\b|w3c/i,
  addressField: 'c-ip',
  steps: [
    {
      title: 'Choose the fields',
      text: [
        'Logging → W3C: date, time, cs-method, cs-uri-stem, cs-uri-query, s-port, c-ip, cs(User-Agent), cs(Referer), cs-host, sc-status, sc-bytes.',
        'A #Fields line names the columns of the lines after it. If your sender starts in the middle of a file, add &fields= with their names.',
      ],
      snippets: [],
    },
  ],
});
