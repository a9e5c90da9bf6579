/** Alerts: what is out of the usual, and who is told. */

export { type Alerts, type AlertsOptions, createAlerts } from './alerts.ts';
export { forgetAlerts } from './retention.ts';
