/** Every platform, in the order in which they are offered. A new one is a folder, its name in `PLATFORMS`, and a line here. */
import { type AnyDestination, define } from './define.ts';
import { ga4 } from './ga4/index.ts';
import { googleAds } from './google-ads/index.ts';
import { linkedin } from './linkedin/index.ts';
import { meta } from './meta/index.ts';
import { microsoft } from './microsoft/index.ts';
import { openai } from './openai/index.ts';
import { pinterest } from './pinterest/index.ts';
import { reddit } from './reddit/index.ts';
import { snap } from './snap/index.ts';
import { tiktok } from './tiktok/index.ts';
import { webhook } from './webhook/index.ts';

export const DESTINATIONS: readonly AnyDestination[] = [
  define(meta),
  define(googleAds),
  define(ga4),
  define(tiktok),
  define(linkedin),
  define(microsoft),
  define(pinterest),
  define(snap),
  define(reddit),
  define(openai),
  define(webhook),
];
