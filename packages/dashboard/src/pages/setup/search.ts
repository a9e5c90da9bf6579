/** The three ways by which a property's traffic gets here, as the address of the set-up page names them. */
const WAYS = ['worker', 'logpush', 'curl'] as const;
export type Way = (typeof WAYS)[number];

export function readWay(search: Record<string, unknown>): { via?: Way } {
  const via = WAYS.find((way) => way === search['via']);
  return via === undefined ? {} : { via };
}
