/** Names of what the service answers, each taken from its OpenAPI document. */
import type { Answer, Body } from '../../api/client.ts';
import type { ApiToken } from '../../api/schema.gen.ts';

export type { ApiToken, AuditEntry, Invitation, Member, Organization } from '../../api/schema.gen.ts';

export type OwnOrganization = Answer<'GET /api/v1/organization'>;
export type Invited = Answer<'POST /api/v1/organization/invitations'>;
export type TokenRole = ApiToken['role'];
export type NewToken = Body<'POST /api/v1/organization/tokens'>;
