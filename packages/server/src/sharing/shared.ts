/**
 * What a share link shows. Figures of bots, pages and AI referrals, and nothing about single visits or visitors: no address, network or user
 * agent, no conversion, no order, no setting. Paths of pages and names of hosts are shown.
 */
import type { ShareCaller } from '../common/index.ts';
import type { ShareLink } from './links.ts';

/** Below `/properties/{id}/reports/`. */
export const SHARED_REPORTS: readonly string[] = [
  ...[
    'overview',
    'hours',
    'bots',
    'pages',
    'failures',
    'referrals',
    'referrals/hours',
    'ai-share',
    'filters',
  ],
];

/** Any reader of a link. */
export const callerFor = (link: Pick<ShareLink, 'id' | 'organizationId' | 'propertyId'>): ShareCaller => ({
  kind: 'share',
  scope: { kind: 'organization', id: link.organizationId },
  role: 'viewer',
  actor: `share:${link.id}`,
  propertyId: link.propertyId,
  reports: SHARED_REPORTS,
});
