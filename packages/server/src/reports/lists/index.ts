/** Reports that are lists: a page as JSON with what stands around it, or the whole of it as a file. */
import { type Api, createApi } from '../../shared/index.ts';
import type { Asking } from '../asking.ts';
import type { Reports } from '../reports.ts';
import { bots } from './bots.ts';
import { failures } from './failures.ts';
import { pages } from './pages.ts';
import type { AddList } from './parts.ts';
import { referrals } from './referrals.ts';
import { spoofSources } from './spoof-sources.ts';
import { trust } from './trust.ts';
import { unreadPages } from './unread-pages.ts';

const LISTS: readonly AddList[] = [bots, pages, unreadPages, failures, trust, spoofSources, referrals];

export function listRoutes(reports: Reports, asking: Asking): Api {
  const api = createApi();
  for (const add of LISTS) add(api, asking, reports);
  return api;
}
