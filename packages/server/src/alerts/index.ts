/** Alerts: anomalies, and where their messages go. */

export { type Alerts, type AlertsOptions, createAlerts } from './alerts.ts';
export { CHANNEL_TYPES } from './channel-address.ts';
export {
  type AlertFigures,
  type AlertWork,
  SENDING_OUTCOMES,
} from './figures.ts';
export { KINDS } from './kinds.ts';
export { forgetAlerts } from './retention.ts';
