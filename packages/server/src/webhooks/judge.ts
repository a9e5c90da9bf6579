/** Reads the body: understood, or refused with every error. */
import { CONVERSION_LIMITS, isTopic, readConversion, TOPICS, type Topic } from '@ghostlight/core';
import { type Clock, ServiceError } from '../common/index.ts';
import type { VerifiedKey } from '../keys/index.ts';
import type { NewActivity } from './activity.ts';
import { maskedBody, maskedEvent } from './masking.ts';
import type { Warning } from './refunds.ts';
import { rejection } from './rejection.ts';
import type { Receiver } from './settings.ts';

export interface JudgeDeps {
  /** Writes what is outside of a conversion's transaction. */
  readonly writeActivity: (receiver: Receiver, row: NewActivity) => Promise<void>;
  readonly clock: Clock;
}

export interface JudgedRequest {
  /** Of the path, as sent. */
  readonly topic: string;
  readonly idempotencyKey: string | undefined;
  /** Called once, after everything that is decided without the body. @throws ServiceError `body_too_large`, `malformed_body` */
  readonly readBody: () => Promise<unknown>;
}

interface Judged extends JudgedRequest {
  /** Once the body is there, before anything of it is read. @throws ServiceError `unauthorized` */
  readonly checkAgain: () => Promise<void>;
}

/** The body, read and understood. Its errors are in Recent Activity before the sender gets its answer. */
export async function judge(
  deps: JudgeDeps,
  request: Judged,
  receiver: Receiver,
  key: VerifiedKey,
  headers: Record<string, string>,
) {
  const refuse = async (error: unknown, body?: unknown): Promise<never> => {
    if (!(error instanceof ServiceError)) throw error;
    const masked = body === undefined ? null : maskedBody(body);
    await deps.writeActivity(receiver, {
      ...rejection(
        deps.clock(),
        request,
        'validation_error',
        error.code,
        error.message,
        error.errors,
        masked,
      ),
      key_prefix: key.prefix,
    });
    throw new ServiceError(error.code, error.message, {
      ...(error.errors === undefined ? {} : { errors: error.errors }),
      headers: { ...headers, ...error.headers },
      cause: error,
    });
  };
  const body = await request.readBody().catch((error: unknown) => refuse(error));
  // A sender takes the time it likes over a body: its key may have been revoked meanwhile.
  await request.checkAgain();
  try {
    const topic = topicOf(request.topic);
    const idempotencyKey = idempotencyKeyOf(request.idempotencyKey);
    const reading = readConversion(topic, body);
    if ('errors' in reading) throw refusal(reading.errors);
    const received = maskedEvent(reading.event);
    return { topic, idempotencyKey, received, ...reading };
  } catch (error) {
    return await refuse(error, body);
  }
}

function topicOf(text: string): Topic {
  if (isTopic(text)) return text;
  throw new ServiceError('invalid', 'The address ends with an unknown topic.', {
    errors: [{ pointer: '/topic', message: `Must be one of ${TOPICS.join(', ')}.` }],
  });
}

function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (header.length <= CONVERSION_LIMITS.id) return header;
  const message = `The Idempotency-Key header may have at most ${CONVERSION_LIMITS.id} characters.`;
  throw new ServiceError('invalid', message);
}

function refusal(errors: readonly Warning[]): ServiceError {
  const count = errors.length === 1 ? 'one error' : `${errors.length} errors`;
  return new ServiceError('invalid', `The body has ${count}; nothing was stored.`, {
    errors: [...errors],
  });
}
