/**
 * What each caller may do, decided in this one place before a route runs. Without a declaration, a route that reads is for all members of the
 * organization and one that changes for its admins; a route says otherwise with `x-need` where it is declared, which OpenAPI shows too.
 */

import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import {
  type Caller,
  includesRole,
  limitsOf,
  type PropertyAccess,
  type Role,
  runsInstallation,
  ServiceError,
  type ShareCaller,
} from '../common/index.ts';

/**
/**
 * `viewer`, `admin`, `owner`: at least this role, with a token too; an editor of a property has the role admin below it. `admin_of_all`: the role
 * admin for all properties; `admin_in_person`: not with a token; `person`: any signed-in person, not the admin token; `operator`: the admin token, and
 * members of the organization that the installation began with, whose people run it; `operator_admin`: of those members the admins; `root`:
 * the admin token alone.
 */
export const NEEDS = [
  ...(['viewer', 'admin', 'admin_of_all', 'owner', 'admin_in_person'] as const),
  ...(['person', 'operator', 'operator_admin', 'root'] as const),
] as const;
export type Need = (typeof NEEDS)[number];

/**
 * What a caller with access to chosen properties may read besides them: lists that their functions limit by the scope, and what is the same for
 * every organization. A route that is in neither group stays closed, so a new one opens nothing.
 */
const BESIDE_PROPERTIES = new Set([
  ...['GET /api/v1/properties', 'GET /api/v1/config', 'GET /api/v1/organization'],
]);
/** The same for people, whose dashboard shows it. A token gets no names and addresses of colleagues. */
const BESIDE_FOR_PEOPLE = new Set([
  ...['GET /api/v1/ingest-keys', 'GET /api/v1/organization/members', 'GET /api/v1/organizations'],
  ...['GET /api/v1/sources', 'GET /api/v1/platforms', 'GET /api/v1/lists', 'GET /api/v1/networks'],
]);
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
    // The first one answers; middleware is under ALL.
    const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    // Nothing is there: the answer to that is another.
    if (route === undefined) return;
    const name = `${route.method} ${route.path}`;
    if (caller.kind === 'share') return checkShared(caller, name, c.req.path);
    // A route that OpenAPI does not contain is only for the admin token.
    const need = needs.get(name) ?? 'root';
    const limits = limitsOf(caller.scope);
    if (limits === null) check(caller, need);
    else checkWithin(limits, caller, { name, need, path: c.req.path });
  };
}

/** The reports that a share link shows, of its one property. Whatever else is asked, also what every member may read, stays closed. */
function checkShared({ propertyId, reports }: ShareCaller, name: string, path: string): void {
  if (!reports.some((report) => name === `GET /api/v1/properties/:id/reports/${report}`))
    throw new ServiceError('forbidden', 'This link shows reports of one property, and nothing else.');
  if (OF_A_PROPERTY.exec(path)?.[1]?.toLowerCase() !== propertyId)
    throw new ServiceError('not_found', 'There is no such property; this link is for another one.');
}

/** A property outside the limits answers as one that does not exist, whatever is asked of it: before the role, which would tell the two apart. */
function checkWithin(
  limits: PropertyAccess,
  caller: Caller,
  { name, need, path }: { name: string; need: Need; path: string },
): void {
  const [, id] = OF_A_PROPERTY.exec(path) ?? [];
  if (id === undefined) {
    check(caller, need);
    const isOpen = BESIDE_PROPERTIES.has(name) || (caller.kind === 'person' && BESIDE_FOR_PEOPLE.has(name));
    if (need !== 'person' && !isOpen) throw new ServiceError('forbidden', OUTSIDE(caller));
    return;
  }
  const there = limits.get(id.toLowerCase());
  if (there === undefined)
    throw new ServiceError('not_found', 'There is no such property; list the properties to find its ID.');
  const role: Role = there === 'editor' ? 'admin' : 'viewer';
  if (need === 'viewer' || need === 'admin') check({ ...caller, role }, need);
  else throw new ServiceError('forbidden', OUTSIDE(caller));
}

const OUTSIDE = ({ kind }: Caller): string =>
  kind === 'token'
    ? 'This API token is limited to some properties, but this concerns the whole organization.'
    : 'You have access to only some properties, but this concerns the whole organization. An owner can give you access to all.';

/** What a route needs that says nothing, or says it. */
export function needOf(method: string, stated: unknown): Need {
  const known = NEEDS.find((need) => need === stated);
  if (known !== undefined) return known;
  // A word that is misspelt must not open anything.
  if (stated !== undefined) return 'root';
  return method === 'GET' ? 'viewer' : 'admin';
}

function check(caller: Caller, need: Need): void {
  if (!MAY[need](caller)) throw new ServiceError('forbidden', sentenceFor(caller, need));
}

const MAY: Readonly<Record<Need, (caller: Caller) => boolean>> = {
  viewer: ({ role }) => includesRole(role, 'viewer'),
  admin: ({ role }) => includesRole(role, 'admin'),
  admin_of_all: ({ role }) => includesRole(role, 'admin'),
  owner: ({ role }) => includesRole(role, 'owner'),
  admin_in_person: ({ kind, role }) => kind !== 'token' && includesRole(role, 'admin'),
  person: ({ kind }) => kind === 'person',
  operator: ({ kind, scope }) => kind === 'root' || runsInstallation(scope),
  operator_admin: ({ kind, role, scope }) =>
    kind === 'root' || (runsInstallation(scope) && includesRole(role, 'admin')),
  root: ({ kind }) => kind === 'root',
};

/** Which permission is missing, and who can give it. A token has no one to ask: its holder needs another one. */
function sentenceFor({ kind, role }: Caller, need: Need): string {
  const isToken = kind === 'token';
  switch (need) {
    case 'viewer':
      return 'This is for members of the organization.';
    case 'admin':
    case 'admin_of_all':
      return isToken
        ? `This API token has the ${role} role, but this needs the admin role. An admin or owner of the organization can create a token with that role under Settings.`
        : `Your role is ${role}, but this needs the admin role. An owner of the organization can give it to you.`;
    case 'owner':
      return isToken
        ? 'This needs the owner role, which an API token can’t have. Have an owner of the organization sign in and do it.'
        : `Your role is ${role}, but this needs the owner role. An owner of the organization can do it, or give you that role.`;
    case 'admin_in_person':
      return isToken
        ? 'An API token can’t do this, whatever its role. Have an admin or owner of the organization sign in and do it.'
        : `Your role is ${role}, but this needs the admin role. An owner of the organization can give it to you.`;
    case 'person':
      return 'This is for people who signed in with their own account; no token can do it.';
    case 'operator':
      return 'This concerns the whole installation: only the admin token and members of its first organization may use it.';
    case 'operator_admin':
      return 'This concerns the whole installation: only the admin token and admins of its first organization may do it.';
    case 'root':
      return 'This concerns the whole installation and needs its admin token (ADMIN_TOKEN), which the operator has.';
  }
}
