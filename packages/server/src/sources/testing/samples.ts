/** How each source's sender writes visits. A source without a sample fails `ingest/every-source.test.ts`. */

import { sample as akamai } from '../akamai/sample.ts';
import { sample as apache } from '../apache/sample.ts';
import { sample as bunny } from '../bunny/sample.ts';
import { sample as caddy } from '../caddy/sample.ts';
import { sample as cloudfront } from '../cloudfront/sample.ts';
import { sample as custom } from '../custom/sample.ts';
import { sample as edgeLogpush } from '../edge_logpush/sample.ts';
import { sample as edgeWorker } from '../edge_worker/sample.ts';
import { sample as fastly } from '../fastly/sample.ts';
import { sample as fluentbit } from '../fluentbit/sample.ts';
import { sample as haproxy } from '../haproxy/sample.ts';
import { sample as iis } from '../iis/sample.ts';
import { sample as netlify } from '../netlify/sample.ts';
import { sample as nginx } from '../nginx/sample.ts';
import { sample as node } from '../node/sample.ts';
import { sample as otlp } from '../otlp/sample.ts';
import { sample as tail } from '../tail/sample.ts';
import { sample as vector } from '../vector/sample.ts';
import { sample as vercel } from '../vercel/sample.ts';
import { sample as wordpress } from '../wordpress/sample.ts';
import type { SourceSample } from './sample.ts';

export const SAMPLES: Readonly<Record<string, SourceSample>> = {
  edge_worker: edgeWorker,
  edge_logpush: edgeLogpush,
  cloudfront,
  fastly,
  vercel,
  netlify,
  akamai,
  bunny,
  tail,
  import: tail,
  nginx,
  apache,
  caddy,
  haproxy,
  iis,
  vector,
  fluentbit,
  otlp,
  node,
  wordpress,
  custom,
};
