/** The views of the WebMCP page, in its address. */
const VIEWS = ['tools', 'serving', 'activity'] as const;
export type View = (typeof VIEWS)[number];

export function readView(search: Record<string, unknown>): { view?: View } {
  const view = VIEWS.find((name) => name === search['view']);
  return view === undefined ? {} : { view };
}
