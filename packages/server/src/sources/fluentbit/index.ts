/** Fluent Bit's `http` output. */
import { shipper } from '../shippers/shipper.ts';

/** Kept whole in `examples/fluent-bit/fluent-bit.yaml`. */
export const FLUENT_BIT_CONFIG = `service:
  flush: 5
  storage.path: /var/lib/fluent-bit/storage
pipeline:
  inputs:
    - name: tail
      path: /var/log/nginx/access.log
      db: /var/lib/fluent-bit/access.db
      tag: access
      storage.type: filesystem
  outputs:
    - name: http
      match: access
      host: "{{base_url|host}}"
      port: {{base_url|port}}
      tls: on
      uri: "/v1/logs/fluentbit?attribution_id={{attribution_id}}&host={{domain|url}}&format=nginx"
      # The line as nginx wrote it: the service reads it.
      format: json_lines
      json_date_key: false
      compress: gzip
      header: X-API-Key {{key}}
      # Without this a batch is tried twice and dropped.
      retry_limit: no_limits
`;

export const fluentbit = shipper({
  name: 'fluentbit',
  title: 'Fluent Bit',
  inSentences: 'Fluent Bit',
  keyHint: 'for logs that Fluent Bit sends',
  kind: 'log',
  group: 'shipper',
  summary: 'Fluent Bit reads a log on your server, or in a cluster, and sends it.',
  latestVersion: null,
  misspelled: /fluent-?(?:bit|d)?/i,
  setup: {
    slug: 'fluentbit',
    about: 'Fluent Bit follows your server’s log and sends its lines, or fields that its parsers have found.',
    steps: [
      {
        title: 'Run Fluent Bit with this configuration',
        text: [
          'format= is the format of the lines: nginx (combined or our JSON), apache, caddy, haproxy, iis, cloudfront. host= is the site for lines without a host.',
          'If you use a Fluent Bit parser, keep json_date_key: date, so that each record has its time.',
          'For a service without https, set tls: off.',
        ],
        snippets: [{ title: 'fluent-bit.yaml', template: FLUENT_BIT_CONFIG }],
      },
    ],
  },
});
