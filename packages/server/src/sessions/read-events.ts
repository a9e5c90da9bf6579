/** From a request's text to events: what can be read of it, and what is wrong with the rest. */
import { type BrowserEvent, readBrowserEvent } from '@ghostlight/core';
import type { FieldError } from '../common/index.ts';
import type { EventCounters } from './counters.ts';

const MAX_ERRORS = 20;

/** @returns null for what is neither an object nor an array */
export function parseEvents(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    return typeof value === 'object' && value !== null ? [value] : null;
  } catch {
    return null;
  }
}

/** Readable events of the one property that the request is about; places and reasons of the others. */
export function readEvents(
  values: readonly unknown[],
  counters: EventCounters,
): { events: readonly BrowserEvent[]; errors: FieldError[] } {
  const events: BrowserEvent[] = [];
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const reading = readBrowserEvent(value);
    const problems = 'errors' in reading ? reading.errors : [];
    const isOther =
      'event' in reading && reading.event.attributionId !== (events[0] ?? reading.event).attributionId;
    if ('event' in reading && !isOther) events.push(reading.event);
    else counters.reject(isOther ? 'mixed_properties' : 'invalid', 1);
    if (isOther) errors.push({ pointer: `/${index}/attribution_id`, message: 'Is not the first event’s.' });
    errors.push(...problems.map(({ pointer, message }) => ({ pointer: `/${index}${pointer}`, message })));
  }
  return { events, errors: errors.slice(0, MAX_ERRORS) };
}
