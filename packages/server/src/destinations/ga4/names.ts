/** Which names events may have: Google drops others without a word. */

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#reserved_event_names */
const RESERVED = [
  'ad_activeview',
  'ad_click',
  'ad_exposure',
  'ad_query',
  'ad_reward',
  'adunit_exposure',
  'app_background',
  'app_clear_data',
  'app_exception',
  'app_remove',
  'app_store_refund',
  'app_store_subscription_cancel',
  'app_store_subscription_convert',
  'app_store_subscription_renew',
  'app_update',
  'app_upgrade',
  'dynamic_link_app_open',
  'dynamic_link_app_update',
  'dynamic_link_first_open',
  'error',
  'first_open',
  'first_visit',
  'in_app_purchase',
  'notification_dismiss',
  'notification_foreground',
  'notification_open',
  'notification_receive',
  'os_update',
  'screen_view',
  'session_start',
  'user_engagement',
];

const MAX_NAME = 40;

export const EVENT_NAME = new RegExp(
  `^(?!(?:ga_|google_|firebase_|gtag\\.)|(?:${RESERVED.join('|')})$)[A-Za-z][A-Za-z0-9_]{0,${MAX_NAME - 1}}$`,
);

/** @returns the name in letters Google takes: `Trial started` → `Trial_started`, `first_visit` → `custom_first_visit` */
export function eventNameOf(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, MAX_NAME);
  return EVENT_NAME.test(word) ? word : `custom_${word}`.slice(0, MAX_NAME);
}
