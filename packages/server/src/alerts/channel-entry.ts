/** The entered data of a channel becomes its address: checked, with a signing secret where the type has one. */
import { randomBytes } from 'node:crypto';
import { ServiceError } from '../common/index.ts';
import { type ChannelAddress, type ChannelType, mistakeIn } from './channel-address.ts';

export interface EnteredAddress {
  readonly address: ChannelAddress;
  /** The signing secret where one was made just now: it is shown once. */
  readonly secret: string | null;
}

/** @throws ServiceError `invalid` */
export function newAddress(type: ChannelType, entered: string): EnteredAddress {
  return withSecret(type, checked(type, entered), null);
}

/**
 * Another target, another secret, or both.
 * @param old null: what stood there can't be opened any more
 * @throws ServiceError `invalid`
 */
export function changedAddress(
  type: ChannelType,
  old: ChannelAddress | null,
  { target, rotateSecret }: { readonly target: string | undefined; readonly rotateSecret: boolean },
): EnteredAddress {
  if (rotateSecret && type !== 'webhook')
    throw new ServiceError('invalid', 'Only a webhook has a signing secret.', {
      errors: [{ pointer: '/rotate_secret', message: 'Only a webhook has a signing secret.' }],
    });
  const oldTarget = old === null ? null : old.type === 'email' ? old.to : old.url;
  const goesTo = target === undefined ? oldTarget : checked(type, target);
  if (goesTo === null)
    throw new ServiceError('invalid', 'Its address can’t be decrypted any more; enter it again.', {
      errors: [{ pointer: '/target', message: 'Is needed again.' }],
    });
  return withSecret(type, goesTo, old?.type === 'webhook' && !rotateSecret ? old.secret : null);
}

function checked(type: ChannelType, entered: string): string {
  const target = entered.trim();
  const mistake = mistakeIn(type, target);
  if (mistake !== null) throw new ServiceError('invalid', 'The channel is invalid.', { errors: [mistake] });
  return target;
}

/** @param kept null: another one is made */
function withSecret(type: ChannelType, target: string, kept: string | null): EnteredAddress {
  if (type === 'email') return { address: { type, to: target }, secret: null };
  if (type === 'slack') return { address: { type, url: target }, secret: null };
  const secret = kept ?? newSecret();
  return { address: { type, url: target, secret }, secret: kept === null ? secret : null };
}

/** Of the form that Standard Webhooks names: `whsec_` and 32 random bytes in base64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
