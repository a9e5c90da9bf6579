/** What a reader of Live wants to see: applied to the warehouse for stored hits, and to each new hit for a stream. */
import { HIT_CLASSES } from '@ghostlight/core';
import type { LiveClass, LiveHit, LiveSource } from '../warehouse/index.ts';

export interface LiveFilter {
  /** Absent: all. */
  readonly classes?: readonly LiveClass[];
  readonly verified?: 'true' | 'false' | 'unknown';
  /** Bot name, in any letter case. */
  readonly bot?: string;
  readonly source?: LiveSource;
}

export const CLASSES: readonly LiveClass[] = [...HIT_CLASSES, 'event'];
const CLASS_NAMES: readonly string[] = CLASSES;

/** Repeated or comma-separated. @returns null when a name is no class */
export function readClasses(values: readonly string[]): LiveClass[] | null | undefined {
  if (values.length === 0) return undefined;
  const names = new Set(values.flatMap((value) => value.split(',')).map((name) => name.trim()));
  names.delete('');
  if (names.size === 0) return undefined;
  if ([...names].some((name) => !CLASS_NAMES.includes(name))) return null;
  return CLASSES.filter((name) => names.has(name));
}

export function passes(hit: LiveHit, { classes, verified, bot, source }: LiveFilter): boolean {
  if (classes !== undefined && !classes.includes(hit.class)) return false;
  if (source !== undefined && hit.source !== source) return false;
  if (bot !== undefined && hit.bot_name.toLowerCase() !== bot.toLowerCase()) return false;
  // People have no verdict: only bots are verified, spoofed or unknown.
  if (verified === undefined) return true;
  return (hit.class === 'ai_bot' || hit.class === 'search_engine') && verdict(hit.verified) === verified;
}

function verdict(verified: boolean | null): 'true' | 'false' | 'unknown' {
  if (verified === null) return 'unknown';
  return verified ? 'true' : 'false';
}
