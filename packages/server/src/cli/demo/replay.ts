/** The recording with the time of the day, again and again until the demo stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readRecording, type Visit } from './recording.ts';

export interface Senders {
  visit(visit: Visit): Promise<void>;
  /** Takes a line of the log push job, which uploads now and then. */
  push(line: Record<string, unknown>): Promise<void>;
}

/** @throws AbortError when stopped; whatever a sender throws */
export async function replay({ visit, push }: Senders, stopped: AbortSignal): Promise<never> {
  const events = await readRecording();
  for (;;) {
    const start = Date.now();
    for (const event of events) {
      await sleep(Math.max(0, start + event.at - Date.now()), undefined, { signal: stopped });
      if (event.via === 'edge') await visit(event.visit);
      else await push(event.line);
    }
  }
}
