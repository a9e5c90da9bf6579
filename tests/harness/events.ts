/** A reader of server-sent events, as a browser reads them. */

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

export interface EventReader {
  /** Resolves with the first event that fits, now or later. @throws after the time */
  waitFor(fits: (event: ServerEvent) => boolean, withinMs?: number): Promise<ServerEvent>;
  readonly events: readonly ServerEvent[];
  /** Resolves when the other side has ended the stream, or when it was closed here. */
  readonly ended: Promise<void>;
  close(): void;
}

const POLL_MS = 10;

/** @throws when the stream is refused */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  if (!response.ok || response.body === null)
    throw new Error(`the stream was refused: ${response.status} ${await response.text()}`);
  const events: ServerEvent[] = [];
  const { body } = response;
  const ended = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => {
            const colon = line.indexOf(':');
            return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
          }),
        );
        const data = fields.get('data');
        if (data !== undefined)
          events.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data });
      }
    }
  })().catch(() => undefined);
  return {
    events,
    ended,
    close: () => abort.abort(),
    async waitFor(fits, withinMs = 15_000) {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const found = events.find(fits);
        if (found !== undefined) return found;
        if (performance.now() > deadline) throw new Error(`no such event within ${withinMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
}
