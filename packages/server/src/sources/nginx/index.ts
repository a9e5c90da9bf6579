/** nginx: the combined format, and the JSON format that has the host and the request's id. */
import { serverLog } from '../text-lines/server-log.ts';

export const NGINX_FORMAT = [
  'log_format ghostlight escape=json',
  '  \'{"time":"$time_iso8601","msec":"$msec","host":"$host","remote_addr":"$remote_addr","method":"$request_method",\'',
  '  \'"uri":"$request_uri","status":"$status","bytes":"$body_bytes_sent","referer":"$http_referer","ua":"$http_user_agent",\'',
  '  \'"request_id":"$request_id","xff":"$http_x_forwarded_for","accept":"$http_accept","https":"$https",\'',
  '  \'"signature_agent":"$http_signature_agent","signature_input":"$http_signature_input","signature":"$http_signature"}\';',
  'access_log /var/log/nginx/ghostlight.json ghostlight;',
].join('\n');

export const nginx = serverLog({
  name: 'nginx',
  title: 'nginx',
  summary: 'The access log of nginx, in the combined format or as JSON.',
  misspelled: /nginx/i,
  addressField: 'remote_addr',
  file: '/var/log/nginx/ghostlight.json',
  steps: [
    {
      title: 'Add a log format',
      text: [
        'The combined format works with &host= in the URL. This one also has the host, milliseconds, and a request ID, so that a line that is sent twice counts once, and the fields that the service needs to verify signed requests.',
        'Behind a proxy, set real_ip_header, or add &trusted_proxies= to the URL: otherwise each address is the proxy’s, and no bot can be verified by it. If the proxy ends TLS, replace $https with $http_x_forwarded_proto.',
      ],
      snippets: [{ title: 'nginx.conf, in http { … }', template: NGINX_FORMAT }],
    },
  ],
});
