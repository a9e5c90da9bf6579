/** What a change of a destination comes to: columns, and what the audit calls it. */
import type { AnyDestination, Credentials, EventMapping } from '../destinations/index.ts';
import { checkEntered } from './checking.ts';
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

/** New credentials or a new config end an alarm: they are what it asked for. @throws ServiceError `invalid` */
export function changedColumns(
  vault: Vault,
  platform: AnyDestination,
  before: DestinationRow,
  { name, paused, clearAlarm, ...entered }: DestinationChanges,
  at: number,
): Partial<DestinationRow> {
  const { config, credentials, events } = checkEntered(platform, {
    ...entered,
    credentials: entered.credentials && merged(vault.standing(before), entered.credentials),
  });
  const isMended = config !== undefined || credentials !== undefined || clearAlarm === true;
  const isRevised = config !== undefined || credentials !== undefined || events !== undefined;
  return {
    updated_at: at,
    ...(name === undefined ? {} : { name }),
    ...(paused === undefined ? {} : { paused: paused ? 1 : 0 }),
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(credentials === undefined
      ? {}
      : { credentials: vault.seal(before.id, credentials), credentials_at: at }),
    ...(isMended ? { alarm: null, not_before: null, failures: 0 } : {}),
    ...(isRevised ? { revision: before.revision + 1 } : {}),
  };
}

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
): string[] {
  const isUpdated = Object.values(settings).some((value) => value !== undefined);
  const isPaused = before.paused === 1;
  return [
    ...(isUpdated ? ['destination.updated'] : []),
    ...(credentials === undefined ? [] : ['destination.credentials_changed']),
    ...(paused === undefined || paused === isPaused
      ? []
      : [paused ? 'destination.paused' : 'destination.resumed']),
    ...(clearAlarm === true ? ['destination.alarm_cleared'] : []),
  ];
}
