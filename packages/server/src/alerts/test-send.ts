/** The test button: a message over one channel, now, with what came of it. */
import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Caller, type Clock, createThrottle, ServiceError } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import type { Property } from '../properties/index.ts';
import type { Channels } from './channels.ts';
import type { Post, Posted } from './post.ts';

/** Repeated tests fill another person's inbox: five at once, then one a minute, on each node. */
const BURST = 5;
const DRAIN_MS = MINUTE_MS;

/** @throws ServiceError `not_found`, `rate_limited` */
export type TryChannel = (property: Property, actor: Caller['actor'], id: string) => Promise<Posted>;

export function createTestSend({
  database,
  channels,
  post,
  appBaseUrl,
  clock,
}: {
  database: Database;
  channels: Pick<Channels, 'get'>;
  post: Post;
  appBaseUrl: () => string;
  clock: Clock;
}): TryChannel {
  const throttle = createThrottle(clock, { burst: BURST, drainMs: DRAIN_MS });
  return async (property, actor, id) => {
    const channel = await channels.get(property, id);
    const wait = throttle.wait(channel.id);
    if (wait > 0)
      throw new ServiceError('rate_limited', 'That is enough tests of this channel for now; wait a minute.', {
        headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
      });
    throttle.fail(channel.id);
    const now = clock();
    const { organizationId } = property;
    await audit(database.kysely, {
      at: now,
      actor,
      action: 'alert_channel.tested',
      subject: channel.id,
      organizationId,
    });
    return await post(
      channel,
      {
        id: `msg_${randomBytes(16).toString('hex')}`,
        phase: 'test',
        property: {
          ...{ id: property.id, name: property.name, domain: property.domain },
          timeZone: property.timeZone,
        },
        alert: {
          id: 'alt_test',
          kind: 'spike',
          subject: 'GPTBot',
          at: now,
          resolvedAt: null,
          title: 'GPTBot visits far more often than usual',
          text: 'This is how an alert arrives here. The figures of this one are made up: 1,240 visits in one hour. Usually up to 210.',
          now: 1_240,
          usual: 210,
          unit: 'visits',
          link: `${appBaseUrl()}/p/${property.id}/alerts`,
        },
      },
      now,
    );
  };
}
