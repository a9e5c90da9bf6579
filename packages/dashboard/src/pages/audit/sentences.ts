/** Sentences for the actions of the audit log; each continues after the name of the actor. */

/** The kind of an action's subject, which says where its name is found. */
export type SubjectKind =
  | 'property'
  | 'person'
  | 'ingest_key'
  | 'webhook_key'
  | 'api_token'
  | 'destination'
  | 'delivery'
  | 'invitation'
  | 'alert_channel'
  | 'share_link'
  | 'custom_bot'
  | 'organization'
  /** The sentence needs no subject. */
  | 'none';

interface Sentence {
  readonly text: string;
  readonly of: SubjectKind;
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'session.started': { text: 'signed in', of: 'none' },
  'session.revoked': { text: 'ended a session of their own', of: 'none' },
  'session.others_revoked': { text: 'signed out everywhere else', of: 'none' },
  'password.changed': { text: 'changed their password', of: 'none' },
  'password.reset': { text: 'reset their password by a link', of: 'none' },
  'password.reset_requested': { text: 'requested a password reset for', of: 'person' },
  'identity.linked': { text: 'connected their account at the company’s provider', of: 'none' },
  'person.renamed': { text: 'changed their own name', of: 'none' },
  'second_factor.on': { text: 'turned on two-factor authentication', of: 'none' },
  'second_factor.off': { text: 'turned off two-factor authentication', of: 'none' },
  'recovery_codes.renewed': { text: 'created new recovery codes', of: 'none' },
  'recovery_code.used': { text: 'used a recovery code', of: 'none' },
  'member.added': { text: 'added a member:', of: 'person' },
  'member.removed': { text: 'removed', of: 'person' },
  'member.made_owner': { text: 'made an owner of', of: 'person' },
  'member.made_admin': { text: 'made an admin of', of: 'person' },
  'member.made_viewer': { text: 'made a viewer of', of: 'person' },
  'member.access_all': { text: 'gave access to all properties to', of: 'person' },
  'member.access_limited': { text: 'chose the properties that can be seen by', of: 'person' },
  'invitation.created': { text: 'invited', of: 'invitation' },
  'invitation.withdrawn': { text: 'revoked the invitation of', of: 'invitation' },
  'organization.created': { text: 'created the organization', of: 'organization' },
  'organization.deleted': { text: 'deleted the organization', of: 'organization' },
  'organization.emptied': { text: 'deleted all data of the organization', of: 'organization' },
  'organization.renamed': { text: 'renamed the organization', of: 'none' },
  'api_token.issued': { text: 'issued the API token', of: 'api_token' },
  'api_token.revoked': { text: 'revoked the API token', of: 'api_token' },
  'share_link.issued': { text: 'created the share link', of: 'share_link' },
  'share_link.revoked': { text: 'revoked the share link', of: 'share_link' },
  'custom_bot.added': { text: 'added the custom bot', of: 'custom_bot' },
  'custom_bot.removed': { text: 'removed the custom bot', of: 'custom_bot' },
  'report_mail.set': { text: 'ordered a mail of the reports of', of: 'property' },
  'property.created': { text: 'created the property', of: 'property' },
  'property.updated': { text: 'changed the settings of', of: 'property' },
  'takeout.asked': { text: 'asked for a takeout of the organization', of: 'none' },
  'takeout.linked': { text: 'made a link to download a takeout', of: 'none' },
  'takeout.deleted': { text: 'deleted a takeout', of: 'none' },
  'quota.updated': { text: 'changed the quota of', of: 'property' },
  'organization.quota_updated': { text: 'changed the quota of the organization', of: 'none' },
  'retention.updated': { text: 'changed how long data is kept of', of: 'property' },
  'retention.applied': { text: 'deleted data that is kept no longer, of', of: 'property' },
  'onboarding.dismissed': { text: 'hid the first steps of', of: 'property' },
  'onboarding.shown': { text: 'showed the first steps again of', of: 'property' },
  'property.deleted': { text: 'deleted the property', of: 'property' },
  'property.emptied': { text: 'deleted all data of the property', of: 'property' },
  'ingest_key.issued': { text: 'issued the ingest key', of: 'ingest_key' },
  'ingest_key.rotated': { text: 'rotated the ingest key', of: 'ingest_key' },
  'ingest_key.set': { text: 'changed the settings of the ingest key', of: 'ingest_key' },
  'ingest_key.revoked': { text: 'revoked the ingest key', of: 'ingest_key' },
  'webhooks.enabled': { text: 'turned webhooks on for', of: 'property' },
  'webhooks.disabled': { text: 'turned webhooks off for', of: 'property' },
  'webhooks.updated': { text: 'changed the webhook settings of', of: 'property' },
  'webhook_key.issued': { text: 'issued the webhook key', of: 'webhook_key' },
  'webhook_key.updated': { text: 'changed the webhook key', of: 'webhook_key' },
  'webhook_key.revoked': { text: 'revoked the webhook key', of: 'webhook_key' },
  'webhook_shop.connected': { text: 'connected a shop platform to', of: 'property' },
  'webhook_shop.secret_changed': { text: 'replaced the secret of a shop platform of', of: 'property' },
  'webhook_shop.previous_secret_ended': {
    text: 'ended the previous secret of a shop platform of',
    of: 'property',
  },
  'webhook_shop.limited': { text: 'changed the rate limit of a shop platform of', of: 'property' },
  'webhook_shop.disconnected': { text: 'disconnected a shop platform from', of: 'property' },
  'webhook_shop.data_requested': {
    text: 'passed on a customer’s request for their data from',
    of: 'property',
  },
  'tracking_domain.added': { text: 'added a tracking domain to', of: 'property' },
  'tracking_domain.verified': { text: 'verified a tracking domain of', of: 'property' },
  'tracking_domain.removed': { text: 'removed a tracking domain of', of: 'property' },
  'event_settings.updated': { text: 'changed the SDK settings of', of: 'property' },
  'visitor.erased': { text: 'erased a visitor of', of: 'property' },
  'sitemap.refreshed': { text: 'refreshed the sitemap of', of: 'property' },
  'sitemap.configured': { text: 'changed the sitemap of', of: 'property' },
  'destination.created': { text: 'connected the destination', of: 'destination' },
  'destination.updated': { text: 'changed the destination', of: 'destination' },
  'destination.credentials_changed': {
    text: 'replaced the credentials of the destination',
    of: 'destination',
  },
  'destination.alarm_cleared': { text: 'cleared the alarm of the destination', of: 'destination' },
  'destination.paused': { text: 'paused the destination', of: 'destination' },
  'destination.resumed': { text: 'resumed the destination', of: 'destination' },
  'destination.deleted': { text: 'deleted the destination', of: 'destination' },
  'destination.tested': { text: 'tested the destination', of: 'destination' },
  'destination.tested_live': { text: 'sent a live test event to the destination', of: 'destination' },
  'delivery.replayed': { text: 'replayed a delivery', of: 'delivery' },
  'deliveries.replayed': { text: 'replayed deliveries of', of: 'property' },
  'alert_rules.updated': { text: 'changed the alert rules of', of: 'property' },
  'alert.acknowledged': { text: 'acknowledged an alert', of: 'none' },
  'alert.reopened': { text: 'took back the acknowledgement of an alert', of: 'none' },
  'alert_channel.created': { text: 'added the alert channel', of: 'alert_channel' },
  'alert_channel.updated': { text: 'changed the alert channel', of: 'alert_channel' },
  'alert_channel.tested': { text: 'tested the alert channel', of: 'alert_channel' },
  'alert_channel.deleted': { text: 'deleted the alert channel', of: 'alert_channel' },
  'webmcp.draft_begun': { text: 'started a WebMCP draft of', of: 'property' },
  'webmcp.draft_discarded': { text: 'discarded the WebMCP draft of', of: 'property' },
  'webmcp.published': { text: 'published the WebMCP manifest of', of: 'property' },
  'webmcp.unpublished': { text: 'unpublished the WebMCP manifest of', of: 'property' },
  'webmcp.rotated': { text: 'rotated the signing keys of', of: 'property' },
};

/** Areas to filter by: prefixes of action names. */
export const AREAS: readonly (readonly [prefix: string, name: string])[] = [
  ['session.', 'Sign-ins'],
  ['password.', 'Passwords'],
  ['second_factor.', 'Two-factor authentication'],
  ['recovery_code', 'Recovery codes'],
  ['member.', 'Members'],
  ['invitation.', 'Invitations'],
  ['organization.', 'Organization'],
  ['api_token.', 'API tokens'],
  ['property.', 'Properties'],
  ['retention.', 'Retention'],
  ['quota.', 'Quotas'],
  ['takeout.', 'Takeouts'],
  ['ingest_key.', 'Ingest keys'],
  ['webhook', 'Webhooks and their keys'],
  ['tracking_domain.', 'Tracking domains'],
  ['destination.', 'Destinations'],
  ['deliver', 'Deliveries'],
  ['alert', 'Alerts'],
  ['share_link.', 'Share links'],
  ['custom_bot.', 'Custom bots'],
  ['webmcp.', 'WebMCP'],
  ['event_settings.', 'SDK settings'],
  ['visitor.', 'Erased visitors'],
  ['sitemap.', 'Sitemaps'],
];

/** An unknown action is shown by its name: a log leaves nothing out. */
export function sentenceOf(action: string): Sentence {
  return SENTENCES[action] ?? { text: action.replaceAll(/[._]/g, ' '), of: 'none' };
}

/** Splits a subject into its id and the rest: `<id>:<domain>`, `<id>/<visitor>`, `person:<id>`. */
export function splitSubject(subject: string): { id: string; besides: string } {
  const [, id = subject, besides = ''] = /^(?:person:)?([0-9a-f-]{36})(?:[:/](.*))?$/s.exec(subject) ?? [];
  return { id, besides };
}
