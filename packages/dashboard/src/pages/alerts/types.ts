/** Types of the API, taken from its OpenAPI document. */
import type { Answer, Body } from '../../api/client.ts';
import type { Alert, AlertRules } from '../../api/schema.gen.ts';

export type {
  Alert,
  AlertChannel as Channel,
  AlertRules,
  AlertTrial as TestResult,
  MadeAlertChannel as MadeChannel,
} from '../../api/schema.gen.ts';

export type AlertKind = Alert['kind'];
export type Told = Alert['sent'][number];
export type ChannelType = Told['type'];
export type AlertPage = Answer<'GET /api/v1/properties/{id}/alerts'>;
export type AlertRule = AlertRules['rules'][number];
export type RulesChange = Body<'PUT /api/v1/properties/{id}/alerts/rules'>;
export type Channels = Answer<'GET /api/v1/properties/{id}/alerts/channels'>;
export type NewChannel = Body<'POST /api/v1/properties/{id}/alerts/channels'>;
export type ChannelChange = Body<'PATCH /api/v1/properties/{id}/alerts/channels/{channel}'>;
