/** Sends one message over one channel. */
import { DecryptError, type SecretCipher } from '../database/index.ts';
import { MailError, type Mailer, type Send, SendError } from '../outbound/index.ts';
import { openAddress } from './channel-secrets.ts';
import type { ChannelRow } from './channels.ts';
import { type Message, mailOf, slackRequest, webhookRequest } from './message.ts';

const TIMEOUT_MS = 10_000;
/** Of an answer nothing is kept: it may repeat what was sent to it. */
const MAX_ANSWER_BYTES = 1_024;

/** Why it failed, as a word that holds nothing of the address: `http_410`, `timeout`, `mail_EAUTH`, `no_mail`, `unreadable`. */
export interface Posted {
  readonly ok: boolean;
  readonly error: string | null;
  /** Trying again can't help: the channel is gone, or nothing can be sent at all. */
  readonly isFinal: boolean;
  /** The other side took its time and said nothing: the next message would fare no better just now. */
  readonly isUnanswered?: boolean;
}

/** No key of this node opens the address. */
export const UNREADABLE = 'unreadable';

/** @param signal ends the attempt */
export type Post = (
  channel: ChannelRow,
  message: Message,
  now: number,
  signal?: AbortSignal,
) => Promise<Posted>;

/** The receiver refuses permanently: a revoked Slack address, a receiver that has been taken down. */
const FINAL_STATUSES = new Set([401, 403, 404, 410]);

/** Of the mail transport: the server was not reached, or stopped in the middle. What it refused is an answer. */
const UNANSWERED_MAIL = new Set(['ETIMEDOUT', 'ECONNECTION', 'ESOCKET', 'ECONNREFUSED', 'EDNS', 'busy']);

export function createPost({
  cipher,
  mailer,
  send,
}: {
  cipher: SecretCipher;
  /** null: this service sends no mail. */
  mailer: Mailer | null;
  send: Send;
}): Post {
  return async (channel, message, now, signal) => {
    try {
      const address = openAddress(cipher, channel);
      if (address.type === 'email') {
        if (mailer === null) return failed('no_mail', true);
        await mailer.send(mailOf(address, message));
        return DONE;
      }
      const request =
        address.type === 'slack' ? slackRequest(address, message) : webhookRequest(address, message, now);
      const { status } = await send(request, {
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        guarded: true,
        ...(signal === undefined ? {} : { signal }),
      });
      return status >= 200 && status < 300 ? DONE : failed(`http_${status}`, FINAL_STATUSES.has(status));
    } catch (error) {
      if (error instanceof MailError)
        return { ...failed(`mail_${error.word}`, false), isUnanswered: UNANSWERED_MAIL.has(error.word) };
      if (error instanceof SendError)
        return {
          ...failed(error.word, error.word === 'not_https' || error.word === 'private_address'),
          isUnanswered: error.word === 'timeout' || error.word === 'unreachable',
        };
      if (error instanceof DecryptError) return failed(UNREADABLE, true);
      throw error;
    }
  };
}

const DONE: Posted = { ok: true, error: null, isFinal: true };
const failed = (error: string, isFinal: boolean): Posted => ({ ok: false, error, isFinal });
