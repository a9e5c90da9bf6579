/** The routes of this room: those that any client may call, and those behind authentication. All are mounted at `/api/v1`. */

import type { Api } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { accountRoutes } from './account-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { oidcRoutes } from './oidc/routes.ts';
import type { AccountRoutesDeps } from './open-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export { sessionRoutes } from './session-routes.ts';

/** These authenticate the caller themselves, or not at all. */
export function openAccountRoutes(deps: AccountRoutesDeps): Api[] {
  return [sessionRoutes(deps), linkRoutes(deps), oidcRoutes(deps)];
}

export function managedAccountRoutes(deps: AccountRoutesDeps & { readonly database: Database }): Api[] {
  return [
    accountRoutes(deps),
    secondFactorRoutes(deps),
    organizationRoutes(deps),
    memberRoutes(deps),
    tokenRoutes(deps),
    auditRoutes(deps),
    peopleRoutes(deps),
  ];
}
