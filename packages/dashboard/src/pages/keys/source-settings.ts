/** The settings of a key as its form has them: text for each, which becomes the value that the API takes. */
import { isObject } from '@ghostlight/core';
import type { IngestKey, LogSource } from '../../api/types.ts';

export type SourceSetting = LogSource['settings'][number];

/** The text of each field, by the setting's name. */
export type Draft = Readonly<Record<string, string>>;

/** A secret's field starts empty: the service never says what it is. */
export function draftOf(fields: readonly SourceSetting[], { settings }: Pick<IngestKey, 'settings'>): Draft {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, textOf(kind, settings[name])]));
}

function textOf(kind: SourceSetting['kind'], value: unknown): string {
  if (value === undefined || value === null || kind === 'secret') return '';
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  return kind === 'mapping' ? JSON.stringify(value, null, 2) : String(value);
}

interface Changes {
  /** What the API is sent: only what differs; null removes a setting. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** By the setting's name: text that is no value. */
  readonly problems: Readonly<Record<string, string>>;
}

/** @param removed names of secrets to remove, whose field is empty either way */
export function changesOf(
  fields: readonly SourceSetting[],
  key: Pick<IngestKey, 'settings'>,
  draft: Draft,
  removed: ReadonlySet<string>,
): Changes {
  const before = draftOf(fields, key);
  const changes: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const text = (draft[name] ?? '').trim();
    if (removed.has(name)) changes[name] = null;
    else if (text === before[name]?.trim()) continue;
    else if (text === '') changes[name] = null;
    else if (kind === 'list') changes[name] = linesOf(text);
    else if (kind === 'mapping') {
      const mapping = mappingOf(text);
      if (mapping === null) problems[name] = 'Enter a JSON object, such as {"timestamp": "time"}.';
      else changes[name] = mapping;
    } else changes[name] = text;
  }
  return { changes, problems };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function mappingOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** When a replaced key stops working, epoch ms: a second replacement never lets it work longer. */
export function worksUntil(
  { expires_at }: Pick<IngestKey, 'expires_at'>,
  replacedAt: string,
  overlapSeconds: number,
): number {
  const asked = Date.parse(replacedAt) + overlapSeconds * 1_000;
  return expires_at === null || expires_at === undefined ? asked : Math.min(Date.parse(expires_at), asked);
}
