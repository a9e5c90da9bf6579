/** HAProxy: `option httplog` with captured headers, whose order the address names. */
import { serverLog } from '../text-lines/server-log.ts';

export const haproxy = serverLog({
  name: 'haproxy',
  title: 'HAProxy',
  summary: 'The HTTP log of HAProxy, with the headers that it captures.',
  misspelled: /ha-?proxy/i,
  steps: [
    {
      title: 'Capture the headers',
      text: [
        'HAProxy logs headers only if configured, and the line does not name them: add &fields=host,user-agent,referer,signature,signature-input,signature-agent to the URL, in the order of the captures.',
        'HAProxy cuts lines at 1,024 bytes. Set a larger limit: log 127.0.0.1 len 8192 local0.',
        'Its timestamps have no time zone: add &time_zone=Europe/Berlin if the server’s clock is not UTC.',
      ],
      snippets: [
        {
          title: 'haproxy.cfg, in the frontend',
          template: [
            'option httplog',
            'capture request header Host len 255',
            'capture request header User-Agent len 512',
            'capture request header Referer len 512',
            'capture request header Signature len 512',
            'capture request header Signature-Input len 1024',
            'capture request header Signature-Agent len 512',
          ].join('\n'),
        },
      ],
    },
  ],
});
