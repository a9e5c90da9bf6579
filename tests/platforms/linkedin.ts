/** LinkedIn's Conversions API with its token endpoint: `POST api.linkedin.com/rest/conversionEvents`, versioned by a header that ages. */
import {
  bearer,
  type Call,
  DAY,
  type Fake,
  type FakeOptions,
  isObject,
  type Json,
  Ledger,
  MINUTE,
  type Reply,
} from './fake.ts';
import { createTokenEndpoint, type OAuthSecrets } from './oauth.ts';
import { type Check, currency, decimal, hash, instant, list, object, oneOf, text } from './shape.ts';

export const LINKEDIN = {
  /** Conversion rules of the account that were made for this API. */
  rules: ['23456', '23457', '23458', '23459', '23460'],
  /** One that was made for LinkedIn's own tag. */
  tagRule: '99999',
};
const SECRETS: OAuthSecrets = {
  client_id: '77fakeLinkedIn',
  client_secret: 'WPL_AP1.fakeLinkedInSecret',
  refresh_token: 'AQfakeLinkedInRefresh',
  access_token: 'AQfakeLinkedInAccess.0',
};
const OLDEST = 90 * DAY;
/** The last that went; versions live for about a year. */
const SUNSET = 202_511;

const ID: Check = (value, path) => {
  const problems = object({
    idType: oneOf('SHA256_EMAIL', 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', 'ACXIOM_ID', 'ORACLE_MOAT_ID'),
    idValue: text(),
  })(value, path);
  return isObject(value) && value['idType'] === 'SHA256_EMAIL'
    ? [...problems, ...hash(value['idValue'], `${path}.idValue`)]
    : problems;
};
const USER: Check = (value, path) => [
  ...object(
    { userIds: list(ID, 0, 10) },
    {
      userInfo: object(
        { firstName: text(), lastName: text() },
        { title: text(), companyName: text(), countryCode: text(/^[A-Z]{2}$/) },
      ),
      externalIds: list(text(), 0, 1),
      lead: text(),
    },
  )(value, path),
  ...(isObject(value) &&
  Array.isArray(value['userIds']) &&
  value['userIds'].length === 0 &&
  value['userInfo'] === undefined
    ? [`${path} has no id and no name`]
    : []),
];

export interface LinkedInFake extends Fake {
  issued(): number;
  readonly secrets: OAuthSecrets;
}

/** @param rotates whether each refresh also replaces the refresh token */
export function createLinkedIn({
  now = Date.now,
  rotates = false,
}: FakeOptions & { rotates?: boolean } = {}): LinkedInFake {
  const ledger = new Ledger();
  const secrets = { ...SECRETS };
  const tokens = createTokenEndpoint(secrets, ledger, {
    expiresIn: 5_183_999,
    rotates,
    more: { scope: 'rw_conversions' },
  });
  const error = (status: number, message: string, code?: string): Reply => ({
    status,
    body: { status, message, ...(code === undefined ? {} : { code }) },
  });
  const form = () =>
    object(
      {
        conversion: text(/^urn:lla:llaPartnerConversion:\d+$/),
        conversionHappenedAt: instant(1, now(), OLDEST, MINUTE),
        user: USER,
      },
      { conversionValue: object({ currencyCode: currency, amount: decimal }), eventId: text(null, 64) },
    );

  function answer(call: Call): Reply {
    if (call.path === '/oauth/v2/accessToken') return tokens.answer(call);
    if (!tokens.accepts(bearer(call)))
      return error(
        401,
        ledger.refuse('The token used in the request has been revoked by the user'),
        'REVOKED_ACCESS_TOKEN',
      );
    if (call.method !== 'POST' || call.path !== '/rest/conversionEvents')
      return error(404, ledger.refuse(`no such resource: ${call.method} ${call.path}`), 'RESOURCE_NOT_FOUND');
    const version = call.headers['linkedin-version'] ?? '';
    if (!/^20\d{4}$/.test(version) || Number(version) <= SUNSET)
      return error(426, ledger.refuse(`Requested version ${version} is not active`), 'NONEXISTENT_VERSION');
    if (call.headers['x-restli-protocol-version'] !== '2.0.0')
      return error(400, ledger.refuse('Rest.li 2.0.0 is expected'));
    const batch = isObject(call.json) && 'elements' in call.json;
    if (batch !== (call.headers['x-restli-method'] === 'BATCH_CREATE'))
      return error(
        400,
        ledger.refuse('X-RestLi-Method: BATCH_CREATE goes with elements, and with these alone'),
      );
    const body = batch ? call.json : { elements: [call.json] };
    const [problem] = object({ elements: list((value, path) => (isObject(value) ? [] : [path]), 1, 5_000) })(
      body,
      '',
    );
    if (problem !== undefined) return error(400, ledger.refuse(problem));
    const events = (body as { elements: Json[] }).elements;
    const tagged = events.flatMap((one, index) => (ruleOf(one) === LINKEDIN.tagRule ? [index] : []));
    if (tagged.length > 0)
      return error(400, ledger.refuse(`Conversion method should be CONVERSIONS_API, indices [${tagged}]`));
    const faults = events.flatMap((one, index) => {
      const [wrong] = [
        ...form()(one, `elements[${index}]`),
        ...(LINKEDIN.rules.includes(ruleOf(one)) ? [] : [`conversion ${ruleOf(one)} does not exist`]),
        ...(ledger.poisoned.has(keyOf(one)) ? ['is poisoned'] : []),
      ];
      return wrong === undefined ? [] : [`Index: ${index}, ERROR :: ${wrong}`];
    });
    if (faults.length > 0) return error(422, ledger.refuse(faults.join('; ')));
    for (const one of events) ledger.take(keyOf(one), one, now(), null);
    return batch ? { status: 200, body: { elements: events.map(() => ({ status: 201 })) } } : { status: 201 };
  }

  return {
    name: 'linkedin',
    hosts: ['api.linkedin.com', 'www.linkedin.com'],
    ledger,
    secrets,
    issued: tokens.issued,
    answer,
    error: (status, message) => error(status, message, status === 429 ? 'TOO_MANY_REQUESTS' : undefined),
  };
}

const ruleOf = (event: Json) => String(event['conversion']).split(':').at(-1) ?? '';
const keyOf = (event: Json) => `${ruleOf(event)}:${event['eventId'] ?? Math.random()}`;
