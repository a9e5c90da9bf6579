/** What is said where no platform says anything. */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { SendFailure } from '../../outbound/index.ts';

/** Why there was no answer; `isSetting`: trying again changes nothing, the destination needs a configuration fix. */
export const FAILURES: Readonly<
  Record<SendFailure, { readonly message: string; readonly isSetting: boolean }>
> = {
  timeout: { message: 'The platform did not answer in time.', isSetting: false },
  stopped: { message: 'The service was stopped while the request was under way.', isSetting: false },
  unreachable: { message: 'The connection to the platform failed or was cut.', isSetting: false },
  no_such_host: { message: 'The name of the host could not be resolved.', isSetting: false },
  bad_certificate: { message: 'The certificate of the host is not valid.', isSetting: false },
  private_address: {
    message: 'The host resolves to an address of a private network; nothing is sent there.',
    isSetting: true,
  },
  not_https: { message: 'The address does not begin with https.', isSetting: true },
  invalid_request: {
    message: 'These settings don’t make a valid request: check for line breaks and other invalid characters.',
    isSetting: true,
  },
};

export const WRONG_HOST = 'The settings would lead the request to a host that is not the platform’s.';
export const TOO_LARGE = 'The event alone is larger than the platform accepts.';
export const MISTAKE = 'This service could not build the request. It will try again.';
/** After it: the next attempt that can end otherwise comes after an upgrade. */
export const AFTER_MISTAKE_MS = 15 * MINUTE_MS;
export const UNANSWERED_POLL = 'The platform has acknowledged it and has not reported on it since.';

/** Of an error whose message may hold anything: its kind and the place in our code, without a word of the message. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame = /^\s+at (?:.*[/\\])?([\w.-]+:\d+)(?::\d+)?\)?$/m.exec(error.stack ?? '');
  return `${error.name} at ${frame?.[1] ?? 'an unknown place'}`;
}
