/** What a chart is about besides its bars: a picture or a file of it says so. */
import { createContext } from 'react';

export interface ChartFacts {
  /** Whose figures: a domain. */
  readonly subject: string;
  /** `1 – 22 Nov 2026, so far. Compared with …`. */
  readonly period: string;
  /** Its first and last day, for the names of files. */
  readonly days: { readonly from: string; readonly to: string };
  /** Which visits are counted, as a sentence. */
  readonly population: string;
  readonly timeZone: string;
}

/** null: a chart outside of a report. */
export const ChartFactsContext = createContext<ChartFacts | null>(null);
