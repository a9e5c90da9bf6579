/** Apache httpd: combined, vhost_combined, and a JSON format. */
import { serverLog } from '../text-lines/server-log.ts';

export const APACHE_FORMAT = [
  'LogFormat "{\\"time\\":\\"%{%s}t.%{msec_frac}t\\",\\"host\\":\\"%{Host}i\\",\\"remote_addr\\":\\"%a\\",\\"request\\":\\"%r\\",\\"status\\":\\"%>s\\",' +
    '\\"bytes\\":\\"%B\\",\\"referer\\":\\"%{Referer}i\\",\\"ua\\":\\"%{User-Agent}i\\",\\"request_id\\":\\"%{UNIQUE_ID}e\\",\\"xff\\":\\"%{X-Forwarded-For}i\\",\\"https\\":\\"%{HTTPS}e\\",' +
    '\\"signature_agent\\":\\"%{Signature-Agent}i\\",\\"signature_input\\":\\"%{Signature-Input}i\\",\\"signature\\":\\"%{Signature}i\\"}" ghostlight',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Apache's
  'CustomLog ${APACHE_LOG_DIR}/ghostlight.json ghostlight',
].join('\n');

export const apache = serverLog({
  name: 'apache',
  title: 'Apache',
  summary: 'The access log of Apache httpd: combined, vhost_combined, or JSON.',
  misspelled: /apache|httpd/i,
  addressField: 'remote_addr (%a)',
  file: '/var/log/apache2/ghostlight.json',
  steps: [
    {
      title: 'Add a log format',
      text: [
        'vhost_combined works as it is, combined with &host= in the URL. This format also has milliseconds and, with mod_unique_id, a request ID, so that a line that is sent twice counts once, and the fields that the service needs to verify signed requests.',
        'Behind a proxy, enable mod_remoteip, or add &trusted_proxies= to the URL. If the proxy ends TLS, replace %{HTTPS}e by %{X-Forwarded-Proto}i.',
      ],
      snippets: [{ title: 'httpd.conf', template: APACHE_FORMAT }],
    },
  ],
});
