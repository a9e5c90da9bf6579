/** What is read of a request that may be reported, while it is there. */
import { FIELD_LIMITS } from '@ghostlight/core';
import { cut, rayOf, type Visit } from '../../collector/src/observe/parts.ts';
import { addressOf, trustsProxies } from './client-address.ts';
import { hostOf, type Incoming } from './incoming.ts';
import type { Settings } from './settings.ts';

/** Of every request, so nothing more is read than decides. */
export interface Look {
  readonly host: string;
  readonly userAgent: string;
  readonly referrer: string;
  /** Without the query. */
  readonly path: string;
  /** With its `?`; empty where there is none. */
  readonly search: string;
}

export function lookOf(incoming: Incoming, settings: Settings): Look {
  const { target } = incoming;
  const mark = target.indexOf('?');
  return {
    host: settings.host ?? hostOf(incoming),
    userAgent: bounded(incoming.header('user-agent'), FIELD_LIMITS.userAgent),
    referrer: bounded(incoming.header('referer'), FIELD_LIMITS.referrer),
    path: mark === -1 ? target : target.slice(0, mark),
    search: mark === -1 ? '' : target.slice(mark),
  };
}

/** Header fields are bytes, and hold no NUL: most are short enough. */
const bounded = (text: string, limit: number): string => (text.length > limit ? cut(text, limit) : text);

/** @param at epoch milliseconds of the request's arrival */
export function visitOf(incoming: Incoming, look: Look, settings: Settings, at: number): Visit {
  const { trust } = settings;
  const siteOrigin = `${schemeOf(incoming, settings)}://${look.host}`;
  const signed =
    incoming.header('signature') === ''
      ? null
      : { method: incoming.method, url: `${siteOrigin}${incoming.target}`, headers: incoming.headers() };
  return {
    ...{ host: look.host, userAgent: look.userAgent, referrer: look.referrer, search: look.search },
    ...{ at, siteOrigin, method: incoming.method, path: cut(look.path, FIELD_LIMITS.path) },
    ...{ ip: addressOf(incoming, trust), country: '', asn: 0, signed },
    // Behind Cloudflare its collector names the visit by the same id, so that both count once. Elsewhere any sender could write it.
    rayId: rayOf(
      trust.kind === 'header' && trust.name === 'cf-connecting-ip' ? incoming.header('cf-ray') : null,
    ),
  };
}

function schemeOf(incoming: Incoming, { trust }: Settings): 'https' | 'http' {
  const said = trustsProxies(trust) ? incoming.header('x-forwarded-proto').split(',', 1)[0]?.trim() : '';
  if (said === 'https' || said === 'http') return said;
  return incoming.encrypted ? 'https' : 'http';
}
