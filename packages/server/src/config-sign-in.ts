/** The settings of sign-in at the company's provider: `OIDC_…`. */
import { isObject } from '@ghostlight/core';
import {
  DEFAULT_ORGANIZATION_ID,
  type GroupMapping,
  ROLES as MEMBER_ROLES,
  type OidcSettings,
  PROPERTY_ROLES,
} from './common/index.ts';
import { ConfigError, type Environment, integer, oneOf, text, url } from './config-values.ts';

/** null: people have passwords alone. @throws ConfigError */
export function oidc(env: Environment): OidcSettings | null {
  const issuer = url(env, 'OIDC_ISSUER', ['https:', 'http:']);
  const clientId = text(env, 'OIDC_CLIENT_ID');
  if (issuer === null && clientId === null) {
    // Half a setting must not leave passwords on while the operator takes them for off.
    if (oneOf(env, 'OIDC_ONLY', ['on', 'off'], 'off') === 'on')
      throw new ConfigError('OIDC_ONLY', 'needs OIDC_ISSUER and OIDC_CLIENT_ID.');
    return null;
  }
  if (issuer === null) throw new ConfigError('OIDC_ISSUER', 'must be given with OIDC_CLIENT_ID.');
  if (clientId === null) throw new ConfigError('OIDC_CLIENT_ID', 'must be given with OIDC_ISSUER.');
  const { protocol, hostname, search, hash } = new URL(issuer);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    throw new ConfigError(
      'OIDC_ISSUER',
      'must begin with https://; plain http is accepted only on this machine.',
    );
  if (search !== '' || hash !== '')
    throw new ConfigError('OIDC_ISSUER', 'must be the issuer as the provider names it, without ? and #.');
  const scopes = text(env, 'OIDC_SCOPES') ?? 'openid email profile';
  if (!scopes.split(/\s+/).includes('openid'))
    throw new ConfigError('OIDC_SCOPES', 'must contain openid, for example: openid email profile groups.');
  const allowedDomains = domains(env);
  const trustEmail = oneOf(env, 'OIDC_TRUST_EMAIL', ['on', 'off'], 'off') === 'on';
  if (trustEmail && allowedDomains.length === 0)
    throw new ConfigError(
      'OIDC_TRUST_EMAIL',
      'needs OIDC_ALLOWED_DOMAINS: the domains that the provider decides about.',
    );
  return {
    // Some issuers end with a slash, and it belongs to their name.
    ...{ issuer, clientId, scopes, allowedDomains, trustEmail },
    clientSecret: text(env, 'OIDC_CLIENT_SECRET'),
    name: (text(env, 'OIDC_NAME') ?? 'single sign-on').slice(0, 50),
    groupsClaim: text(env, 'OIDC_GROUPS_CLAIM') ?? 'groups',
    groups: groups(env),
    only: oneOf(env, 'OIDC_ONLY', ['on', 'off'], 'off') === 'on',
    sessionHours: integer(env, 'OIDC_SESSION_HOURS', 12, 1, 720),
  };
}

function domains(env: Environment): readonly string[] {
  const value = text(env, 'OIDC_ALLOWED_DOMAINS');
  if (value === null) return [];
  return value.split(',').map((part) => {
    const domain = part.trim().replace(/^@/, '').toLowerCase();
    if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/.test(domain))
      throw new ConfigError(
        'OIDC_ALLOWED_DOMAINS',
        `must be domains with commas between them, such as shop.example, not "${part.trim()}".`,
      );
    return domain;
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function groups(env: Environment): readonly GroupMapping[] {
  const value = text(env, 'OIDC_GROUPS');
  if (value === null) return [];
  const wrong = (what: string) =>
    new ConfigError(
      'OIDC_GROUPS',
      `${what}. It is a JSON list such as [{"group":"ghostlight-admins","role":"admin"}]; docs/sign-in.md has every member.`,
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw wrong('is not valid JSON');
  }
  if (!Array.isArray(parsed)) throw wrong('is not a list');
  return parsed.map((entry: unknown, index) => {
    const at = `entry ${index + 1}`;
    if (!isObject(entry)) throw wrong(`has something else than an object as ${at}`);
    const { group, role, organization = DEFAULT_ORGANIZATION_ID, properties = null, ...rest } = entry;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw wrong(`has an unknown member in ${at}: ${unknown}`);
    if (typeof group !== 'string' || group === '') throw wrong(`names no group in ${at}`);
    const known = MEMBER_ROLES.find((one) => one === role);
    if (known === undefined) throw wrong(`has no role owner, admin or viewer in ${at}`);
    if (typeof organization !== 'string' || !UUID.test(organization))
      throw wrong(`has an organization that is not an ID in ${at}`);
    const chosen = properties === null ? null : chosenProperties(properties);
    if (chosen === undefined)
      throw wrong(`has properties in ${at} that are not a list of attribution_id and role`);
    if (chosen !== null && known !== 'viewer')
      throw wrong(`limits a role that sees all properties in ${at}: only viewers have properties`);
    return { group, role: known, organizationId: organization.toLowerCase(), properties: chosen };
  });
}

/** @returns undefined for a value of another form */
function chosenProperties(value: unknown): GroupMapping['properties'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const chosen = value.map((one: unknown) => {
    if (!isObject(one) || typeof one['attribution_id'] !== 'string' || !UUID.test(one['attribution_id']))
      return undefined;
    const role = PROPERTY_ROLES.find((candidate) => candidate === (one['role'] ?? 'viewer'));
    return role === undefined ? undefined : { attributionId: one['attribution_id'].toLowerCase(), role };
  });
  return chosen.includes(undefined) ? undefined : chosen.filter((one) => one !== undefined);
}
