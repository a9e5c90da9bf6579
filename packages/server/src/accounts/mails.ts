/** The mails that people get: plain text, one link each. */
import type { Mail } from '../outbound/index.ts';
import type { LinkKind } from './links.ts';

export interface LinkMail {
  readonly kind: Exclude<LinkKind, 'welcome'>;
  readonly to: string;
  readonly url: string;
  /** The organization, where there is one. */
  readonly organization: string | null;
}

export function linkMail({ kind, to, url, organization }: LinkMail): Mail {
  if (kind === 'invitation') {
    return {
      to,
      subject: `You are invited to ${line(organization ?? 'Ghostlight')} on Ghostlight`,
      text: `You are invited to ${line(organization ?? 'Ghostlight')} on Ghostlight.\n\nOpen this link within 7 days to accept; it works once:\n\n${url}\n\nIf you weren’t expecting an invitation, ignore this email.\n`,
    };
  }
  return {
    to,
    subject: 'Reset your Ghostlight password',
    text: `Someone, probably you, asked to reset the password for this address.\n\nOpen this link within an hour to choose one; it works once:\n\n${url}\n\nIf it wasn’t you, ignore this email. Nothing has changed.\n`,
  };
}

/** A name is one line, however it was entered. */
function line(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 100);
}
