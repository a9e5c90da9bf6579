/** Values that the collector's tests share. */
import type { CollectorEnv } from '../platform.ts';
import { SERVICE_HOST } from './internet.ts';

export const ATTRIBUTION_ID = '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01';
export const API_KEY = `svc_cf_${'k'.repeat(43)}`;

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot';
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** A collector that is set up right, forwards no samples and serves no manifest. */
export const ENV = {
  SERVICE_INGEST_URL: `https://${SERVICE_HOST}/v1/logs/edge_worker`,
  SERVICE_ATTRIBUTION_ID: ATTRIBUTION_ID,
  SERVICE_BOTLIST_URL: `https://${SERVICE_HOST}/v1/config/ai-bots`,
  SERVICE_SAMPLE_RATE: '0',
  SERVICE_MANIFEST_URL: '',
  SERVICE_API_KEY: API_KEY,
} as const satisfies CollectorEnv;
