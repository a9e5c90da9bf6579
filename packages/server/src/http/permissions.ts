/**
 * What each caller may do, decided in this one place before a route runs. Without a word of its own a route that reads is for everybody of the
 * organization and one that changes for its admins; a route says otherwise with `x-need` where it is declared, which OpenAPI shows too.
 */

import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { type Caller, includesRole, type Role, ServiceError } from '../common/index.ts';

/**
 * `viewer`, `admin`, `owner`: at least this role, with a token too; `admin_in_person`: not with a token; `person`: anybody who signed in, the root
 * token is nobody; `root`: the root token alone.
 */
export const NEEDS = ['viewer', 'admin', 'owner', 'admin_in_person', 'person', 'root'] as const;
export type Need = (typeof NEEDS)[number];

/** What a token of one property may read besides it: itself, and where the service stands. */
const BESIDE_A_PROPERTY = new Set(['GET /api/v1/config', 'GET /api/v1/organization']);
const OF_A_PROPERTY = /^\/api\/v1\/properties\/([^/]+)(?:\/|$)/;

/** An operation of the API, as OpenAPI has it. */
interface Operation {
  readonly method: string;
  /** `/api/v1/properties/{id}` */
  readonly path: string;
  readonly need: unknown;
}

export type Permissions = (c: Context, caller: Caller) => void;

/** @param operations asked once, at the first request: all routes are mounted by then. @returns throws ServiceError `forbidden` or `not_found` */
export function createPermissions(operations: () => readonly Operation[]): Permissions {
  let needs: ReadonlyMap<string, Need> | undefined;

  return (c, caller) => {
    needs ??= new Map(
      operations().map(({ method, path, need }) => [
        `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        needOf(method, need),
      ]),
    );
    // The first one answers; middleware stands under ALL.
    const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    // Nothing is there: the answer to that is another.
    if (route === undefined) return;
    const name = `${route.method} ${route.path}`;
    // A route that OpenAPI does not know is for nobody but the root token.
    check(caller, needs.get(name) ?? 'root');
    if (caller.kind === 'token' && caller.propertyId !== null && !BESIDE_A_PROPERTY.has(name))
      checkProperty(caller.propertyId, c.req.path);
  };
}

/** What a route needs that says nothing, or says it. */
export function needOf(method: string, stated: unknown): Need {
  const known = NEEDS.find((need) => need === stated);
  if (known !== undefined) return known;
  // A word that is misspelt must not open anything.
  if (stated !== undefined) return 'root';
  return method === 'GET' ? 'viewer' : 'admin';
}

function check(caller: Caller, need: Need): void {
  if (
    need === 'root'
      ? caller.kind === 'root'
      : need === 'person'
        ? caller.kind === 'person'
        : hasRole(caller, need)
  )
    return;
  throw new ServiceError('forbidden', SENTENCES[need]);
}

function hasRole(caller: Caller, need: Role | 'admin_in_person'): boolean {
  if (need === 'admin_in_person') return caller.kind !== 'token' && includesRole(caller.role, 'admin');
  return includesRole(caller.role, need);
}

const SENTENCES: Readonly<Record<Need, string>> = {
  viewer: 'This is for members of the organization.',
  admin: 'You may look at this, not change it; ask an owner to make you an admin.',
  owner: 'Only an owner of the organization may do this.',
  admin_in_person: 'This is for admins and owners who signed in; an API token can’t do it.',
  person: 'This is for people who signed in with their own account.',
  root: 'This belongs to the whole installation: use its root token.',
};

/** Another property answers as one that does not exist, as it does to another organization. */
function checkProperty(propertyId: string, path: string): void {
  const [, id] = OF_A_PROPERTY.exec(path) ?? [];
  if (id === undefined) throw new ServiceError('forbidden', 'This API token is for one property alone.');
  if (id.toLowerCase() !== propertyId) {
    throw new ServiceError('not_found', 'There is no such property; list the properties to find its id.');
  }
}
