/** Every migration by its number, which is the order in which they run; SQLite and PostgreSQL run the same ones. A migration that has been released is never edited. */
import type { Migration } from 'kysely/migration';
import { up as foundation } from './0001-foundation.ts';
import { up as webmcp } from './0002-webmcp.ts';
import { up as sessions } from './0003-sessions.ts';
import { up as webhooks } from './0004-webhooks.ts';
import { up as forwarding } from './0005-forwarding.ts';
import { up as reports } from './0006-reports.ts';
import { up as touchRegions } from './0007-touch-regions.ts';
import { up as people } from './0008-people.ts';
import { up as alerts } from './0009-alerts.ts';
import { up as timeZones } from './0010-time-zones.ts';
import { up as botFirsts } from './0011-bot-firsts.ts';
import { up as searchEngines } from './0012-search-engines.ts';
import { up as auditRequests } from './0013-audit-requests.ts';
import { up as keySettings } from './0014-key-settings.ts';
import { up as shops } from './0015-shops.ts';
import { up as deletions } from './0016-deletions.ts';
import { up as propertyAccess } from './0017-property-access.ts';
import { up as retention } from './0018-retention.ts';
import { up as identities } from './0019-identities.ts';
import { up as takeouts } from './0020-takeouts.ts';
import { up as repeatableRequests } from './0021-repeatable-requests.ts';
import { up as onboarding } from './0022-onboarding.ts';
import { up as alertReplies } from './0023-alert-replies.ts';
import { up as quotas } from './0024-quotas.ts';
import { up as sharing } from './0025-sharing.ts';
import { up as auditChanges } from './0026-audit-changes.ts';
import { up as overQuotaDays } from './0027-over-quota-days.ts';
import { up as lastUsedFrom } from './0028-last-used-from.ts';
import { up as pageLists } from './0029-page-lists.ts';
import { up as robots } from './0030-robots.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': { up: foundation },
  '0002-webmcp': { up: webmcp },
  '0003-sessions': { up: sessions },
  '0004-webhooks': { up: webhooks },
  '0005-forwarding': { up: forwarding },
  '0006-reports': { up: reports },
  '0007-touch-regions': { up: touchRegions },
  '0008-people': { up: people },
  '0009-alerts': { up: alerts },
  '0010-time-zones': { up: timeZones },
  '0011-bot-firsts': { up: botFirsts },
  '0012-search-engines': { up: searchEngines },
  '0013-audit-requests': { up: auditRequests },
  '0014-key-settings': { up: keySettings },
  '0015-shops': { up: shops },
  '0016-deletions': { up: deletions },
  '0017-property-access': { up: propertyAccess },
  '0018-retention': { up: retention },
  '0019-identities': { up: identities },
  '0020-takeouts': { up: takeouts },
  '0021-repeatable-requests': { up: repeatableRequests },
  '0022-onboarding': { up: onboarding },
  '0023-alert-replies': { up: alertReplies },
  '0024-quotas': { up: quotas },
  '0025-sharing': { up: sharing },
  '0026-audit-changes': { up: auditChanges },
  '0027-over-quota-days': { up: overQuotaDays },
  '0028-last-used-from': { up: lastUsedFrom },
  '0029-page-lists': { up: pageLists },
  '0030-robots': { up: robots },
};

/** Oldest first. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);
