/** The search parameters of the Alerts page: the view. */

const VIEWS = ['alerts', 'rules', 'channels'] as const;
export type AlertsView = (typeof VIEWS)[number];

export interface AlertsSearch {
  view?: AlertsView;
}

/** Reads untrusted search parameters; defaults are left out. */
export function readAlertsSearch(search: Record<string, unknown>): AlertsSearch {
  const view = VIEWS.slice(1).find((name) => name === search['view']);
  return view === undefined ? {} : { view };
}
