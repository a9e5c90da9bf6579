/** Access tokens for the Data Manager API, by a user's refresh token or a service account's key. */
import { codeOf, integerOf, jsonOf, presentable, textOf, verdictOfStatus } from '../answers.ts';
import type { HttpResponse, OAuth } from '../port.ts';
import { assertionOf, readServiceAccount } from './service-account.ts';

export const TOKEN_HOST = 'oauth2.googleapis.com';
/** Not the `token_uri` of a key file: its author would choose where our requests go. */
const TOKEN_URL = `https://${TOKEN_HOST}/token`;
const SCOPE = 'https://www.googleapis.com/auth/datamanager';

/** RFC 6749 §5.2: what is wrong with the client; the other codes are our bugs. */
const CREDENTIAL_ERRORS = [
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'access_denied',
  'deleted_client',
];

export const oauth: OAuth = {
  tokenRequest(credentials, now) {
    const account = readServiceAccount(credentials['service_account_key'] ?? '');
    const form =
      account === null
        ? {
            grant_type: 'refresh_token',
            refresh_token: credentials['refresh_token'] ?? '',
            client_id: credentials['client_id'] ?? '',
            client_secret: credentials['client_secret'] ?? '',
          }
        : {
            grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
            assertion: assertionOf(account, TOKEN_URL, SCOPE, now),
          };
    return {
      method: 'POST',
      url: TOKEN_URL,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    };
  },

  readToken(response: HttpResponse) {
    const answer = jsonOf(response);
    const accessToken = textOf(answer?.['access_token']);
    if (response.status === 200 && accessToken !== null) {
      const refreshToken = textOf(answer?.['refresh_token']);
      return {
        accessToken,
        expiresInMs: (integerOf(answer?.['expires_in']) ?? 0) * 1000,
        ...(refreshToken === null ? {} : { refreshToken }),
      };
    }
    const code = codeOf(answer?.['error'], `http_${response.status}`);
    const message = presentable(
      answer?.['error_description'],
      `Google gave no access token (status ${response.status}).`,
    );
    if (CREDENTIAL_ERRORS.includes(code)) return { kind: 'auth', code, message };
    const { kind } = verdictOfStatus(response, []);
    if (kind === 'auth') return { kind, code, message };
    return { kind: kind === 'refused' || kind === 'config' ? 'config' : 'retry', code, message };
  },
};
