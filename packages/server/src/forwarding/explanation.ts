/** What the state of a delivery means, and what to do about it. */
import { SKIP_REASONS, type SkipReason } from '../destinations/index.ts';
import type { DeliveryView } from './deliveries.ts';
import { SEALED_REASON } from './delivery/index.ts';
import { EXPIRED, obstacle } from './replayable.ts';

export function explanationOf(delivery: DeliveryView, now: number): string {
  const { state, reason } = delivery;
  switch (state) {
    case 'pending':
    case 'retry':
      return waiting(delivery, now);
    case 'sending':
      return 'It is being sent right now.';
    case 'accepted_async':
      return 'The platform has accepted it and will evaluate it later. Ghostlight checks for the outcome from time to time.';
    case 'delivered':
      return 'The platform has accepted it.';
    case 'dead':
      return `${reason === 'gave_up' ? 'Retries failed for a day, or until the platform no longer accepted it.' : 'The platform has rejected it.'} ${again(delivery)}`;
    case 'skipped':
      return [
        isSkipReason(reason) ? SKIP_REASONS[reason] : 'It was not sent.',
        ...(obstacle(delivery) === null ? ['Once that is fixed it can be sent again.'] : []),
      ].join(' ');
    case 'unknown':
      return 'The connection or this service failed after it was sent, and the platform doesn’t detect duplicates. So it is not sent again automatically: that might count it twice.';
  }
}

function waiting({ paused, alarm, not_before: notBefore, state, reason }: DeliveryView, now: number): string {
  if (alarm !== null)
    return 'Waiting: the platform has rejected the destination’s credentials or settings, which need fixing.';
  if (paused === 1) return 'Waiting: the destination is paused.';
  if (notBefore !== null && notBefore > now)
    return state === 'retry'
      ? 'The next attempt is automatic. Until then, nothing is sent to this destination.'
      : 'Waiting: the platform failed or asked to wait. The next attempt is automatic.';
  if (reason === SEALED_REASON)
    return 'Waiting: the node that tried has no SECRET_KEY that decrypts its data. Another node may have it; otherwise set the key it was encrypted with as SECRET_KEY_PREVIOUS.';
  return state === 'retry'
    ? 'An attempt failed temporarily; it will be retried.'
    : 'It will be sent shortly.';
}

function again(delivery: DeliveryView): string {
  const reason = obstacle(delivery);
  if (reason === null) return 'Once the cause is fixed it can be sent again.';
  return reason.startsWith(EXPIRED)
    ? 'It can’t be sent again: the personal data that it needs has already been deleted.'
    : reason;
}

const isSkipReason = (reason: string | null): reason is SkipReason =>
  reason !== null && Object.hasOwn(SKIP_REASONS, reason);
