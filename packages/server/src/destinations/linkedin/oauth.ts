/** LinkedIn's refresh tokens: a year long, not renewed by use; access tokens of 60 days. */
import { codeOf, jsonOf, presentable, textOf } from '../answers.ts';
import type { OAuth } from '../port.ts';
import { refreshGrantOf } from './config.ts';

export const TOKEN_HOST = 'www.linkedin.com';

export const oauth: OAuth = {
  tokenRequest(credentials) {
    const grant = refreshGrantOf(credentials);
    if (grant === null) return null;
    return {
      method: 'POST',
      url: `https://${TOKEN_HOST}/oauth/v2/accessToken`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ grant_type: 'refresh_token', ...grant })),
    };
  },
  readToken(response) {
    const { status } = response;
    const answer = jsonOf(response);
    const accessToken = textOf(answer?.['access_token']);
    const seconds = answer?.['expires_in'];
    if (status === 200 && accessToken !== null && typeof seconds === 'number' && seconds > 0) {
      const refreshToken = textOf(answer?.['refresh_token']);
      return { accessToken, expiresInMs: seconds * 1000, ...(refreshToken === null ? {} : { refreshToken }) };
    }
    const code = codeOf(answer?.['error'], `http_${status}`);
    const message = presentable(answer?.['error_description'], `LinkedIn gave no access token (${status}).`);
    // `invalid_grant`, `invalid_client`: no repetition fixes them. A throttled client gets 429.
    const isOurFault = status >= 400 && status < 500 && status !== 408 && status !== 429;
    return isOurFault ? { kind: 'auth', code, message } : { kind: 'retry', code, message };
  },
};
