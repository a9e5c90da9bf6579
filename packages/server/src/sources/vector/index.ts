/** Vector's `http` sink. */
import { shipper } from '../shippers/shipper.ts';

/** Kept whole in `examples/vector/vector.yaml`. */
export const VECTOR_CONFIG = `data_dir: /var/lib/vector
sources:
  access_log:
    type: file
    include: [/var/log/nginx/access.log]
sinks:
  ghostlight:
    type: http
    inputs: [access_log]
    uri: "{{base_url}}/v1/logs/vector?attribution_id={{attribution_id}}&host={{domain|url}}&format=nginx"
    request:
      headers:
        X-API-Key: "{{key}}"
    # The line as nginx wrote it: the service reads it.
    encoding:
      codec: json
      only_fields: [message]
    framing:
      method: newline_delimited
    compression: gzip
    batch:
      max_bytes: 1000000
      timeout_secs: 5
    # What can't be sent waits on disk: Vector repeats 429 and 5xx, and drops a batch on any other refusal.
    buffer:
      type: disk
      max_size: 536870912
    acknowledgements:
      enabled: true
    healthcheck:
      enabled: true
`;

export const vector = shipper({
  name: 'vector',
  title: 'Vector',
  inSentences: 'Vector',
  keyHint: 'for logs that Vector sends',
  kind: 'log',
  group: 'shipper',
  summary: 'Vector reads a log on your server, buffers it on disk and sends it.',
  latestVersion: null,
  misspelled: /vector/i,
  setup: {
    slug: 'vector',
    about: 'Vector follows your server’s log and sends its lines, or fields that you have parsed yourself.',
    steps: [
      {
        title: 'Run Vector with this configuration',
        text: [
          'format= is the format of the lines: nginx (combined or our JSON), apache, caddy, haproxy, iis, cloudfront. host= is the site for lines without a host.',
          'Records with fields instead of a line are read like “Your own JSON”. Then set host yourself: Vector’s own host is the server’s name.',
        ],
        snippets: [{ title: 'vector.yaml', template: VECTOR_CONFIG }],
      },
    ],
  },
});
