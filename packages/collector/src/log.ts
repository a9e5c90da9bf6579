/** The collector's log: what a person sees in `wrangler tail` when nothing shows in the dashboard. */

/** Sentences that one isolate remembers; beyond that it falls silent, so that no fault can fill a log. */
const MOST_SENTENCES = 100;

/** @returns says each sentence once per isolate, as one line under the product's name */
export function createLog(write: (line: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence) || said.size >= MOST_SENTENCES) return;
    said.add(sentence);
    write(`ghostlight: ${sentence}`);
  };
}
