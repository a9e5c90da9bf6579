/** The tables of sharing as types: public links, and mails of reports. Times in epoch ms. */

/** `prefix` is for people, `digest` (SHA-256, hex) for look-up; the token stands nowhere. */
interface ShareLinksTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  /** Whom it is for, as its maker wrote. */
  name: string;
  prefix: string;
  digest: string;
  /** scrypt, with its salt; null: it needs no password. */
  password_hash: string | null;
  /** The actor. */
  created_by: string;
  created_at: number;
  /** null: until it is revoked. */
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** At most one for a person and a property. */
interface ReportMailsTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  person_id: string;
  every: 'week' | 'month';
  /** Of a week 1 (Monday) to 7, of a month 1 to 28. */
  day: number;
  /** 0 to 23, in the property's time zone. */
  hour: number;
  created_at: number;
  /** When the next one is due. */
  next_at: number;
  last_sent_at: number | null;
  /** Why the newest attempt failed, as a word; null: it did not. */
  last_error: string | null;
  /** Failed attempts in a row of the mail that is due. */
  attempts: number;
}

export interface SharingTables {
  share_links: ShareLinksTable;
  report_mails: ReportMailsTable;
}
