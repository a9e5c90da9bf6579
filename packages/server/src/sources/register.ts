/** Every log source, in the order in which they are offered. A new one is a folder and a line here. */
import { akamai } from './akamai/index.ts';
import { apache } from './apache/index.ts';
import { bunny } from './bunny/index.ts';
import { caddy } from './caddy/index.ts';
import { cloudfront } from './cloudfront/index.ts';
import { custom } from './custom/index.ts';
import { edgeLogpush } from './edge_logpush/index.ts';
import { edgeWorker } from './edge_worker/index.ts';
import { fastly } from './fastly/index.ts';
import { fluentbit } from './fluentbit/index.ts';
import { haproxy } from './haproxy/index.ts';
import { iis } from './iis/index.ts';
import { imported } from './import/index.ts';
import { netlify } from './netlify/index.ts';
import { nginx } from './nginx/index.ts';
import { node } from './node/index.ts';
import { otlp } from './otlp/index.ts';
import type { LogSource } from './source.ts';
import { tail } from './tail/index.ts';
import { vector } from './vector/index.ts';
import { vercel } from './vercel/index.ts';
import { wordpress } from './wordpress/index.ts';

export const SOURCES: readonly LogSource[] = [
  edgeWorker,
  edgeLogpush,
  cloudfront,
  fastly,
  vercel,
  netlify,
  akamai,
  bunny,
  tail,
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
  imported,
];
