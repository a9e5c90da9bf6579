import type { JsonObject, JsonValue } from '@ghostlight/core';
import { objectOf } from '../answers.ts';
import type { Auth, HttpRequest } from '../port.ts';
import { compact, postJson } from '../requests.ts';
import type { Config } from './config.ts';

export const HOST = 'datamanager.googleapis.com';

/** Of the request's only destination: events of one group are of one conversion action. */
const REFERENCE = 'action';

export const build = (events: readonly JsonObject[], config: Config, auth: Auth): HttpRequest =>
  request(events, config, auth, false);

export const buildTest = (event: JsonObject, config: Config, auth: Auth): HttpRequest =>
  request([event], config, auth, true);

function request(
  events: readonly JsonObject[],
  config: Config,
  { accessToken }: Auth,
  validateOnly: boolean,
): HttpRequest {
  const [first] = events;
  return postJson(
    `https://${HOST}/v1/events:ingest`,
    {
      destinations: [
        compact({
          reference: REFERENCE,
          operatingAccount: accountOf(config.customer_id),
          loginAccount: config.login_customer_id === undefined ? null : accountOf(config.login_customer_id),
          productDestinationId: first?.['action'],
        }),
      ],
      encoding: 'HEX',
      validateOnly,
      ...compact({ consent: first?.['consent'] }),
      events: events.map((event) => ({
        destinationReferences: [REFERENCE],
        ...(objectOf(event['event']) as Readonly<Record<string, JsonValue>> | null),
      })),
    },
    { authorization: `Bearer ${accessToken ?? ''}` },
  );
}

const accountOf = (customerId: string): JsonObject => ({
  accountType: 'GOOGLE_ADS',
  accountId: customerId.replaceAll('-', ''),
});
