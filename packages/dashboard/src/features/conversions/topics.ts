/** What each topic is for, and what the least of its body is. */
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
    about: 'A completed order. The same conversion_id posted twice is one order.',
    needs: 'conversion_id, value and currency',
  },
  lead: {
    name: 'Lead',
    about:
      'A form was sent, a call was asked for. The browser’s generate_lead with the same conversion_id is linked to it.',
    needs: 'nothing; a conversion_id keeps a repetition from counting twice',
  },
  signup: {
    name: 'Sign-up',
    about: 'An account was made. The browser’s sign_up with the same conversion_id is linked to it.',
    needs: 'nothing; a conversion_id keeps a repetition from counting twice',
  },
  refund: {
    name: 'Refund',
    about:
      'Money went back. It names its order by conversion_id and inherits that order’s match, whatever its age. Without a value, the rest of the order; a refund_id tells several partial refunds apart.',
    needs: 'conversion_id of the order',
  },
  subscription: {
    name: 'Subscription',
    about: 'A subscription began.',
    needs: 'nothing; value and currency come together or not at all',
  },
  custom: {
    name: 'Custom',
    about: 'Anything else that is worth counting, under a name of yours: letters, digits, blanks, - and _.',
    needs: 'nothing; event_name is “custom” when it is missing',
  },
};

/** A topic that a stranger wrote is shown as it came. */
export function topicName(topic: string): string {
  return TOPIC_WORDS[topic as Topic]?.name ?? topic;
}

/** What a conversion is called: its topic, or the name that a custom one was given. */
export function nameOf({ topic, event_name }: Pick<Conversion, 'topic' | 'event_name'>): string {
  return topic === 'custom' && event_name !== null && event_name !== '' ? event_name : topicName(topic);
}

/** The address of a topic. @param endpoint of the property's webhooks, as the service gave it */
export function topicUrl(endpoint: string, topic: string): string {
  return `${endpoint}/${topic}`;
}
