/** How this room's things look in the API. */
import { z } from '@hono/zod-openapi';
import {
  type Caller,
  limitsOf,
  PROPERTY_ROLES,
  type PropertyAccess,
  ROLES,
  runsInstallation,
  ServiceError,
} from '../common/index.ts';
import { type Chosen, MAX_CHOSEN } from './access.ts';
import type { Accounts } from './accounts.ts';
import { PASSWORD_LENGTH } from './credentials.ts';
import type { Organization } from './reading-members.ts';

export const isoTime = (at: number) => new Date(at).toISOString();

export const roleSchema = z.enum(ROLES, 'Choose a role: owner, admin or viewer.');
/** Chosen properties; null: all of them. */
export const accessSchema = z
  .array(
    z.object({
      attribution_id: z.uuid(),
      role: z
        .enum(PROPERTY_ROLES)
        .openapi({ description: '`editor` also changes what belongs to the property' }),
    }),
  )
  .nullable()
  .openapi({ description: 'The only properties with access, and the role in each; null: all properties' });
export const chosenSchema = z
  .array(
    z.object({
      attribution_id: z.guid('Enter the ID of a property, a UUID.'),
      role: z.enum(PROPERTY_ROLES, 'Choose a role: viewer or editor.').default('viewer'),
    }),
  )
  .max(MAX_CHOSEN, `At most ${MAX_CHOSEN} properties; more than that are all.`)
  .nullable()
  .openapi({
    description: 'Only with the role viewer: the only properties with access. null: all properties',
  });
export const emailSchema = z
  .string()
  .trim()
  .max(254, 'At most 254 characters.')
  .pipe(z.email('Enter an email address.'));
/** A password that is being chosen. */
export const newPasswordSchema = z
  .string()
  .min(PASSWORD_LENGTH.min, `Choose a password of at least ${PASSWORD_LENGTH.min} characters.`)
  .max(PASSWORD_LENGTH.max, `At most ${PASSWORD_LENGTH.max} characters.`);
/** A password that is being proved: what is too long is wrong, and costs no hash. */
export const passwordSchema = z
  .string()
  .min(1, 'Enter the password.')
  .max(PASSWORD_LENGTH.max, 'At most 128 characters.');
/** Beside a new password. */
export const revokeTokensSchema = z
  .boolean()
  .default(false)
  .openapi({ description: 'Also revoke the API tokens that you created' });
export const codeSchema = z.string().trim().min(6, 'Enter the code.').max(20, 'At most 20 characters.');
export const tokenSchema = z
  .string()
  .min(1, 'Enter the token of the link.')
  .max(1_024, 'At most 1,024 characters.');

const named = z.object({ id: z.uuid(), name: z.string() });
export const sessionSchema = z
  .object({
    kind: z.enum(['root', 'person', 'token']),
    actor: z.string().openapi({ description: 'Your name in the audit log' }),
    role: roleSchema,
    organization_id: z.uuid().nullable().openapi({ description: 'null: access to every organization' }),
    organization: named.nullable(),
    runs_installation: z.boolean().openapi({
      description: 'The admin token, or a member of the organization that the installation began with',
    }),
    person: named.extend({ email: z.string() }).nullable(),
    properties: accessSchema,
    expires_at: z.iso.datetime().optional(),
  })
  .openapi('Session');

export async function sessionView(accounts: Accounts, caller: Caller, expiresAt?: number) {
  const { kind, actor, role, scope } = caller;
  // Readers of a share link are refused before: they have no session.
  if (kind === 'share') throw new ServiceError('forbidden', 'A share link is no session.');
  const organization = scope.kind === 'all' ? null : await accounts.organizations.get(scope);
  const person = caller.kind === 'person' ? await accounts.own.view(caller) : null;
  return {
    kind,
    actor,
    role,
    organization_id: organization?.id ?? null,
    organization: organization === null ? null : idAndName(organization),
    runs_installation: kind === 'root' || runsInstallation(scope),
    person: person === null ? null : { id: person.id, name: person.name, email: person.email },
    properties: accessView(limitsOf(scope)),
    ...(expiresAt === undefined ? {} : { expires_at: isoTime(expiresAt) }),
  };
}

export const organizationSchema = named.extend({ created_at: z.iso.datetime() }).openapi('Organization');

export function organizationView({ id, name, createdAt }: Organization) {
  return { id, name, created_at: isoTime(createdAt) };
}

export function idAndName({ id, name }: Organization) {
  return { id, name };
}

export function accessView(access: PropertyAccess | null) {
  return access === null ? null : [...access].map(([id, role]) => ({ attribution_id: id, role }));
}

export function chosenOf(given: z.infer<typeof chosenSchema>): readonly Chosen[] | null {
  return given === null
    ? null
    : given.map(({ attribution_id: attributionId, role }) => ({ attributionId, role }));
}
