/** Names of what the service answers, each taken from its OpenAPI document. */
import type { Answer } from '../../api/client.ts';

export type { Account, RecoveryCodes, TotpSetup } from '../../api/schema.gen.ts';

export type SignInSession = Answer<'GET /api/v1/account/sessions'>['items'][number];
