/** Bots and paths whose name contains a text: what a search by hand looks for. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, facts, IN_PERIOD, REPORT_SETTINGS, type ReportQuery } from './facts.ts';

export interface FoundBot {
  readonly bot: string;
  readonly vendor: string;
  readonly intent: string;
  readonly hits: number;
}
export interface FoundPath {
  readonly host: string;
  readonly path: string;
  readonly hits: number;
}

/** A search is asked while its reader types: it gives up long before a report would. */
const SETTINGS = { ...REPORT_SETTINGS, max_execution_time: 5 } as const;
/** What begins with the text comes before what contains it, then what has most visits. */
const rank = (column: string) => `startsWith(lowerUTF8(${column}), lowerUTF8({text:String}))`;
const contains = (column: string) => `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`;

/** @param text not empty; it is only text @param limit of rows */
export async function findBots(
  warehouse: Warehouse,
  query: ReportQuery,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<FoundBot[]> {
  return await askFacts<FoundBot>(
    warehouse,
    query,
    `SELECT bot_name AS bot, vendor, intent, hits FROM (
  SELECT toString(f.bot_name) AS bot_name, toString(f.vendor) AS vendor, toString(f.intent) AS intent, sum(f.weight) AS hits
  FROM ${facts(['bot_name', 'vendor', 'intent', 'weight'], query, ['ai_bot'])} WHERE ${IN_PERIOD}
  GROUP BY bot_name, vendor, intent
)
WHERE ${contains('bot_name')} OR ${contains('vendor')}
ORDER BY ${rank('bot_name')} DESC, hits DESC, bot LIMIT {limit:UInt32}`,
    signal,
    { text, limit },
    SETTINGS,
  );
}

/** Paths that an AI bot asked for, answered or not. @param text as in `findBots` */
export async function findPaths(
  warehouse: Warehouse,
  query: ReportQuery,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<FoundPath[]> {
  return await askFacts<FoundPath>(
    warehouse,
    query,
    `SELECT any(f.host) AS host, any(f.path) AS path, sum(f.weight) AS hits
FROM ${facts(['host', 'path', 'page', 'weight'], query, ['ai_bot'])}
WHERE ${IN_PERIOD} AND ${contains('f.path')}
GROUP BY f.page
ORDER BY ${rank('path')} DESC, hits DESC, length(path), path, host LIMIT {limit:UInt32}`,
    signal,
    { text, limit },
    SETTINGS,
  );
}
