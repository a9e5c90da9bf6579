/** What a key knows of its sender: checked by its source's own rules, stored encrypted as a whole, for some of it is secret. */
import { ServiceError } from '../common/index.ts';
import { type Database, DecryptError, hidden, rotateRows, type SecretCipher } from '../database/index.ts';
import { type Settings, SOURCES, type SourceSetting } from '../sources/index.ts';

const NONE: Settings = {};
/** A mapping of every member takes less. */
const MAX_LENGTH = 16 * 1024;

const purpose = (keyId: string): string => `ingest_key:${keyId}`;

export function settingsOf(provider: string): readonly SourceSetting[] {
  return SOURCES.find(({ about }) => about.name === provider)?.settings ?? [];
}

/**
 * @param changes null takes a setting away; what is not named stays
 * @throws ServiceError `invalid` for what the source does not know or take
 */
export function changedSettings(provider: string, current: Settings, changes: Settings): Settings {
  const known = settingsOf(provider);
  const next: Record<string, unknown> = { ...current };
  const errors: { pointer: string; message: string }[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const setting = known.find((one) => one.name === name);
    if (value === null) delete next[name];
    const checked = setting?.schema.safeParse(value);
    if (checked?.success === true) next[name] = checked.data;
    else if (value !== null) {
      const message = checked?.error.issues[0]?.message ?? 'This source has no such setting.';
      errors.push({ pointer: `/${name}`, message });
    }
  }
  if (errors.length > 0)
    throw new ServiceError('invalid', 'Some settings are not valid. Nothing was changed.', {
      errors,
    });
  if (JSON.stringify(next).length > MAX_LENGTH)
    throw new ServiceError('invalid', 'The settings of a key may have at most 16 KiB.');
  return next;
}

/** @returns null: nothing is set */
export function sealSettings(cipher: SecretCipher, keyId: string, settings: Settings): string | null {
  return Object.keys(settings).length === 0 ? null : cipher.encrypt(JSON.stringify(settings), purpose(keyId));
}

/** What can't be opened any more counts as not set. */
export function openSettings(cipher: SecretCipher, keyId: string, sealed: string | null): Settings {
  if (sealed === null) return NONE;
  try {
    return JSON.parse(cipher.decrypt(sealed, purpose(keyId))) as Settings;
  } catch (error) {
    if (error instanceof DecryptError) return NONE;
    throw error;
  }
}

/** As people see them: of a secret, that there is one. */
export const shownSettings = (provider: string, settings: Settings): Record<string, unknown> =>
  withSecrets(provider, settings, () => true);

/** For the audit log: every setting of the source, so that one that was taken away is seen. */
export const loggedSettings = (provider: string, settings: Settings): Record<string, unknown> => ({
  ...Object.fromEntries(settingsOf(provider).map(({ name }) => [name, null])),
  ...withSecrets(provider, settings, hidden),
});

function withSecrets(
  provider: string,
  settings: Settings,
  ofSecret: (value: unknown) => unknown,
): Record<string, unknown> {
  const secrets = new Set(
    settingsOf(provider).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : [])),
  );
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, secrets.has(name) ? ofSecret(value) : value]),
  );
}

export const rotateKeySettings = (db: Database, cipher: SecretCipher): Promise<number> =>
  rotateRows(cipher, {
    page: (after, limit) =>
      db.reader
        .selectFrom('ingest_keys')
        .select(['id', 'settings as sealed'])
        .where('id', '>', after)
        .where('settings', 'is not', null)
        .orderBy('id')
        .limit(limit)
        .execute(),
    purposeOf: ({ id }) => purpose(id),
    store: (row, settings) =>
      db.kysely
        .updateTable('ingest_keys')
        .set({ settings })
        .where('id', '=', row.id)
        .where('settings', '=', row.sealed)
        .execute(),
  });
