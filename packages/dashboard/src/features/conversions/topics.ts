/** What each topic is for, and the minimum of its body; names of members are in backticks, for `Coded`. */
import type { Topic } from '@ghostlight/core/conversion';
import type { Conversion } from './api.ts';

export interface TopicWords {
  readonly name: string;
  readonly about: string;
  readonly needs: string;
}

export const TOPIC_WORDS: Readonly<Record<Topic, TopicWords>> = {
  purchase: {
    name: 'Purchase',
    about: 'A completed order. Posting the same `conversion_id` twice counts once.',
    needs: '`conversion_id`, `value` and `currency`',
  },
  lead: {
    name: 'Lead',
    about:
      'A submitted form or a requested call. The browser’s `generate_lead` with the same `conversion_id` is linked to it.',
    needs: 'nothing. With a `conversion_id`, a repeated post counts once',
  },
  signup: {
    name: 'Sign-up',
    about: 'A new account. The browser’s `sign_up` with the same `conversion_id` is linked to it.',
    needs: 'nothing. With a `conversion_id`, a repeated post counts once',
  },
  refund: {
    name: 'Refund',
    about:
      'Money returned. It names its order by `conversion_id` and inherits that order’s match at any age. Without a `value`, it refunds the rest of the order; `refund_id` separates partial refunds.',
    needs: '`conversion_id` of the order',
  },
  subscription: {
    name: 'Subscription',
    about: 'A new subscription.',
    needs: 'nothing. `value` and `currency` only together',
  },
  custom: {
    name: 'Custom',
    about: 'Anything else you want to count, under your own name: letters, digits, spaces, - and _.',
    needs: 'nothing. `event_name` defaults to “custom”',
  },
};

/** An unknown topic is shown as received. */
export function topicName(topic: string): string {
  return TOPIC_WORDS[topic as Topic]?.name ?? topic;
}

/** The name of a conversion: its topic, or the event name of a custom one. */
export function nameOf({ topic, event_name }: Pick<Conversion, 'topic' | 'event_name'>): string {
  return topic === 'custom' && event_name !== null && event_name !== '' ? event_name : topicName(topic);
}

/** The address of a topic. @param endpoint of the property's webhooks, as the service gave it */
export function topicUrl(endpoint: string, topic: string): string {
  return `${endpoint}/${topic}`;
}
