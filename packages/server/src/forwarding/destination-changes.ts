/** What a change of a destination comes to: columns, and what the audit calls it. */

import { ServiceError } from '../common/index.ts';
import { hidden, prefixed } from '../database/index.ts';
import type { AnyDestination, Credentials, EventMapping } from '../destinations/index.ts';
import { checkEntered } from './checking.ts';
import { UNREADABLE } from './delivery/index.ts';
import { isEncryptedMember, isGiven, putTogether, shownConfig, takenApart } from './encrypted-urls.ts';
import type { DestinationRow, Vault } from './vault.ts';

export interface DestinationChanges {
  readonly name?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Members given replace, null removes; others stay. */
  readonly credentials?: Readonly<Record<string, string | null>> | undefined;
  readonly events?: EventMapping | undefined;
  readonly paused?: boolean | undefined;
  readonly clearAlarm?: boolean | undefined;
}

/**
 * New credentials or a new config end an alarm: they are what it asked for.
 * @throws ServiceError `invalid`; `unavailable` where what stays is encrypted under a key that this node doesn't have
 */
export function changedColumns(
  vault: Vault,
  platform: AnyDestination,
  before: DestinationRow,
  { name, paused, clearAlarm, ...entered }: DestinationChanges,
  at: number,
): Partial<DestinationRow> {
  const standing = standingFor(vault, platform, before, entered);
  const column = JSON.parse(before.config) as Config;
  const { config, credentials, events } = checkEntered(platform, {
    ...entered,
    config: entered.config && withKept(platform, column, standing, entered.config),
    credentials: entered.credentials && merged(withoutEncrypted(standing), entered.credentials),
  });
  const parts = config && takenApart(platform, config);
  const isRotated = credentials !== undefined || Object.keys(parts?.sealed ?? {}).length > 0;
  const isMended = config !== undefined || credentials !== undefined || clearAlarm === true;
  const isRevised = config !== undefined || credentials !== undefined || events !== undefined;
  return {
    updated_at: at,
    ...(name === undefined ? {} : { name }),
    ...(paused === undefined ? {} : { paused: paused ? 1 : 0 }),
    ...(parts === undefined ? {} : { config: JSON.stringify(parts.column) }),
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(isRotated
      ? {
          credentials: vault.seal(before.id, {
            ...(credentials ?? withoutEncrypted(standing)),
            ...(parts?.sealed ?? onlyEncrypted(standing)),
          }),
        }
      : {}),
    ...(credentials === undefined ? {} : { credentials_at: at }),
    ...(isMended ? { alarm: null, not_before: null, failures: 0 } : {}),
    ...(isRevised ? { revision: before.revision + 1 } : {}),
  };
}

type Config = Readonly<Record<string, unknown>>;

/** The encrypted value, if a part of it has to stay: merged into nothing, it would be lost. */
function standingFor(
  vault: Vault,
  platform: AnyDestination,
  before: DestinationRow,
  { config, credentials }: DestinationChanges,
): Credentials {
  const urls = platform.sealedUrls ?? [];
  if (credentials === undefined && (config === undefined || urls.length === 0)) return {};
  const standing = vault.standing(before);
  if (standing !== null) return standing;
  const given = config ?? {};
  const shown = shownConfig(platform, JSON.parse(before.config) as Config);
  if (credentials !== undefined) {
    // For five minutes no node could open them: what is entered is all that there is.
    if (before.alarm?.includes(`"${UNREADABLE}"`) === true) return {};
    const isWhole = Object.keys(platform.credentials.shape).every((name) => Object.hasOwn(credentials, name));
    if (isWhole && urls.every((url) => isGiven(url, given, shown))) return {};
  }
  const members = [...Object.keys(platform.credentials.shape), ...urls.map((url) => `config.${url}`)];
  throw new ServiceError(
    'unavailable',
    `This node has no key that opens the stored credentials, so it can't keep the members that you leave out. Send the change to another node, or again once SECRET_KEY is the same everywhere. To replace all of them, send ${members.join(', ')} (null for one that is not set).`,
    { headers: { 'Retry-After': '60' } },
  );
}

/** An address that is left out, or comes as it was shown, stays. */
function withKept(platform: AnyDestination, column: Config, standing: Credentials, given: Config): Config {
  const before = putTogether(platform, column, standing);
  const shown = shownConfig(platform, column);
  const kept = (platform.sealedUrls ?? []).filter((name) => !isGiven(name, given, shown));
  return { ...given, ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
}

const withoutEncrypted = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => !isEncryptedMember(name)));
const onlyEncrypted = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => isEncryptedMember(name)));

/** An empty field of a form is a member that is not set. */
export function merged(
  before: Credentials,
  given: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...before, ...given }).filter(
      (member): member is [string, string] => member[1] !== null && member[1] !== '',
    ),
  );
}

export function actionsOf(
  { paused, clearAlarm, credentials, ...settings }: DestinationChanges,
  before: DestinationRow,
) {
  const isUpdated = Object.values(settings).some((value) => value !== undefined);
  const isPaused = before.paused === 1;
  return [
    ...(isUpdated ? (['destination.updated'] as const) : []),
    ...(credentials === undefined ? [] : (['destination.credentials_changed'] as const)),
    ...(paused === undefined || paused === isPaused
      ? []
      : ([paused ? 'destination.paused' : 'destination.resumed'] as const)),
    ...(clearAlarm === true ? (['destination.alarm_cleared'] as const) : []),
  ];
}

/** As the audit log compares it: the config as people see it; of a member that is encrypted, only whether it was replaced. */
export function loggedOf(
  platform: AnyDestination,
  { name, config, events }: Pick<DestinationRow, 'name' | 'config' | 'events'>,
  standing: Credentials,
): Record<string, unknown> {
  return {
    name,
    ...prefixed('config', shownConfig(platform, JSON.parse(config) as Config)),
    // They are named like members of the config.
    ...allHidden(onlyEncrypted(standing)),
    ...prefixed('events', JSON.parse(events) as Readonly<Record<string, unknown>>),
  };
}

export const loggedCredentials = (standing: Credentials): Record<string, unknown> =>
  allHidden(withoutEncrypted(standing));

const allHidden = (secrets: Credentials): Record<string, unknown> =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, hidden(value)]));
