/** Calls of sharing: links of a property, and the reader's own mail of its reports. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call, get } from '../../api/client.ts';

const LINKS = '/api/v1/properties/{id}/share-links';
const CHANNELS = '/api/v1/properties/{id}/alerts/channels';
const MAIL = '/api/v1/account/report-mails/{property_id}';

export type ShareLink = Answer<`GET ${typeof LINKS}`>['items'][number];
export type NewShareLink = Body<`POST ${typeof LINKS}`>;
export type IssuedLink = Answer<`POST ${typeof LINKS}`>;
export type MailSchedule = Body<`PUT ${typeof MAIL}`>;

export const sharingApi = {
  issue: (id: string, body: NewShareLink) => call('POST', LINKS, { params: { id }, body }),
  revoke: (id: string, link: string) => call('DELETE', `${LINKS}/{link}`, { params: { id, link } }),
  setMail: (id: string, body: MailSchedule) => call('PUT', MAIL, { params: { property_id: id }, body }),
  stopMail: (id: string) => call('DELETE', MAIL, { params: { property_id: id } }),
  testMail: (id: string) => call('POST', `${MAIL}/test`, { params: { property_id: id } }),
};

export const sharingQueries = {
  links: (id: string) =>
    queryOptions({
      queryKey: ['share-links', id],
      queryFn: async ({ signal }) => (await get(LINKS, { params: { id }, signal })).items,
    }),
  /** Whether the service can send mail: for the admin token, which has no mail of its own. */
  canMail: (id: string) =>
    queryOptions({
      queryKey: ['can-mail', id],
      queryFn: async ({ signal }) => (await get(CHANNELS, { params: { id }, signal })).email_available,
    }),
  mail: (id: string) =>
    queryOptions({
      queryKey: ['report-mail', id],
      queryFn: ({ signal }) => get(MAIL, { params: { property_id: id }, signal }),
    }),
};
