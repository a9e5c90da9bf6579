/** OAuth 2.0 token endpoints, as RFC 6749 §5 has them: for the platforms that ask for one. */
import type { Call, Ledger, Reply } from './fake.ts';

export interface OAuthSecrets extends Record<string, string> {
  client_id: string;
  client_secret: string;
  refresh_token: string;
  /** The newest; each refresh makes another, and the older ones hold. Another text by hand: all before are revoked. */
  access_token: string;
}

export interface TokenEndpoint {
  answer(call: Call): Reply;
  accepts(accessToken: string | null): boolean;
  /** How often it gave out a token. */
  issued(): number;
}

/** @param expiresIn seconds that each token is said to live */
export function createTokenEndpoint(
  secrets: OAuthSecrets,
  ledger: Ledger,
  {
    expiresIn = 3_599,
    rotates = false,
    more = {},
  }: { expiresIn?: number; rotates?: boolean; more?: object } = {},
): TokenEndpoint {
  let issued = 0;
  let newest = secrets.access_token;
  const valid = new Set([newest]);
  const accepts = (accessToken: string | null): boolean => {
    if (secrets.access_token !== newest) {
      newest = secrets.access_token;
      valid.clear();
      valid.add(newest);
    }
    return accessToken !== null && valid.has(accessToken);
  };
  const refuse = (status: number, error: string, description: string): Reply => {
    ledger.refuse(`${error}: ${description}`);
    return { status, body: { error, error_description: description } };
  };
  function answer(call: Call): Reply {
    const form = new URLSearchParams(call.text);
    if (
      call.method !== 'POST' ||
      !call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    )
      return refuse(400, 'invalid_request', 'A POST of a form is expected.');
    if (form.get('grant_type') !== 'refresh_token')
      return refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`);
    if (form.get('client_id') !== secrets.client_id || form.get('client_secret') !== secrets.client_secret)
      return refuse(401, 'invalid_client', 'The OAuth client was not found.');
    if (form.get('refresh_token') !== secrets.refresh_token)
      return refuse(400, 'invalid_grant', 'Token has been expired or revoked.');
    issued += 1;
    accepts(null);
    secrets.access_token = `${secrets.access_token.split('.')[0]}.${issued}`;
    newest = secrets.access_token;
    valid.add(newest);
    if (rotates) secrets.refresh_token = `${secrets.refresh_token.split('.')[0]}.${issued}`;
    const refreshed = rotates ? { refresh_token: secrets.refresh_token } : {};
    return {
      status: 200,
      body: {
        access_token: secrets.access_token,
        expires_in: expiresIn,
        token_type: 'Bearer',
        ...refreshed,
        ...more,
      },
    };
  }
  return { answer, accepts, issued: () => issued };
}
