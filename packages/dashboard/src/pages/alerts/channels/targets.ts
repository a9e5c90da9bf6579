/** What is asked for where a channel leads. */
import type { ChannelType } from '../types.ts';

export interface TargetWords {
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
}

export const TARGETS: Readonly<Record<ChannelType, TargetWords>> = {
  email: {
    label: 'E-mail address',
    placeholder: 'ops@shop.example',
    hint: 'One address; a list of people is a list of channels, or an address of the mail server.',
  },
  slack: {
    label: 'Address of the incoming webhook',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: 'Slack gives it for one of its own conversations, at api.slack.com/apps under Incoming Webhooks. It is kept sealed and not shown again.',
  },
  webhook: {
    label: 'URL',
    placeholder: 'https://ops.example/alerts',
    hint: 'It gets each alert as JSON by POST, signed as Standard Webhooks says. It has to be reachable from the internet.',
  },
};
