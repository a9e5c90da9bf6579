/** A destination's row, decrypted: config parsed, credentials decrypted, bound to its platform. No other code uses the encrypted column. */
import { DecryptError, type Row, type SecretCipher } from '../database/index.ts';
import {
  type AnyDestination,
  type Credentials,
  decide,
  type EventMapping,
  type OAuth,
  type Verdict,
} from '../destinations/index.ts';
import type { BoundDestination, BoundPoll, DestinationVault } from './delivery/ports.ts';
import { knownSecrets, putTogether, takenApart } from './encrypted-urls.ts';
import { createMasker } from './masking.ts';

export type DestinationRow = Row<'destinations'>;

export interface Vault extends DestinationVault {
  /** Including encrypted addresses, as `config.<member>`. @throws DecryptError where no available key decrypts it */
  opened(row: Pick<DestinationRow, 'id' | 'credentials'>): Credentials;
  /** null: no key at hand opens it. */
  standing(row: Pick<DestinationRow, 'id' | 'credentials'>): Credentials | null;
}

export const credentialsPurpose = (destinationId: string): string => `destination:${destinationId}`;

export function createVault(cipher: SecretCipher, platforms: readonly AnyDestination[]): Vault {
  type Sealed = Pick<DestinationRow, 'id' | 'credentials'>;
  const opened = ({ id, credentials }: Sealed): Credentials =>
    JSON.parse(cipher.decrypt(credentials, credentialsPurpose(id))) as Credentials;
  const openedIfPossible = (row: Sealed): Credentials | null => {
    try {
      return opened(row);
    } catch (error) {
      if (error instanceof DecryptError) return null;
      throw error;
    }
  };
  const seal = (id: string, credentials: Credentials): string =>
    cipher.encrypt(JSON.stringify(credentials), credentialsPurpose(id));

  return {
    seal,
    opened,
    standing: openedIfPossible,
    open(row) {
      const platform = platforms.find((candidate) => candidate.platform === row.platform);
      if (platform === undefined) throw new Error(`there is no platform ${row.platform} any more`);
      return bind(platform, row, opened(row));
    },
  };
}

function bind(platform: AnyDestination, row: DestinationRow, unsealed: Credentials): BoundDestination {
  const column = JSON.parse(row.config) as Record<string, unknown>;
  // Of a row that an earlier version stored, the addresses are in the column.
  const credentials = { ...takenApart(platform, column).sealed, ...unsealed };
  const config = putTogether(platform, column, credentials);
  const events = JSON.parse(row.events) as EventMapping;
  const presentable = withoutSecrets(credentials);
  return {
    platform: platform.platform,
    credentials,
    limits: platform.limits(config),
    hosts: platform.hosts,
    plainFields: platform.plainFields,
    oauth: bindOAuth(platform, presentable),
    poll: bindPoll(platform, config, presentable),
    guarantee: (conversion) => platform.guarantee(conversion),
    decide: (conversion, context, now) => decide(platform, { config, events }, conversion, context, now),
    build: (batch, auth) => platform.build(batch, config, auth),
    buildTest: (event, auth, code) => platform.buildTest(event, config, auth, code),
    classify: (response, batch) => platform.classify(response, batch, config).map(presentable),
  };
}

/** A platform's words are shown and kept, and some platforms repeat the credential that they refuse. */
function withoutSecrets(credentials: Credentials): Presentable {
  const secrets = knownSecrets(credentials, null);
  return (verdict) => {
    if (!('message' in verdict) || verdict.message === undefined) return verdict;
    const { text } = createMasker({ ...secrets, plainFields: [] });
    const code = 'code' in verdict ? { code: text(verdict.code) } : {};
    return { ...verdict, ...code, message: text(verdict.message) };
  };
}

type Presentable = <V extends Verdict>(verdict: V) => V;

function bindOAuth({ oauth }: AnyDestination, presentable: Presentable): OAuth | null {
  if (oauth === undefined) return null;
  return {
    tokenRequest: (credentials, now) => oauth.tokenRequest(credentials, now),
    readToken(response) {
      const read = oauth.readToken(response);
      return 'kind' in read ? presentable(read) : read;
    },
  };
}

function bindPoll({ poll }: AnyDestination, config: object, presentable: Presentable): BoundPoll | null {
  if (poll === undefined) return null;
  return {
    firstAfterMs: poll.firstAfterMs,
    everyMs: poll.everyMs,
    giveUpAfterMs: poll.giveUpAfterMs,
    build: (ref, auth) => poll.build(ref, config, auth),
    classify(response) {
      const verdict = poll.classify(response);
      return verdict === null ? null : presentable(verdict);
    },
  };
}
