/** The child process: opens the engine at the given path, serves it, and ends with its parent. */
import { EngineException } from './exceptions.ts';
import type { ChildMessage, FailureKind, OpenMessage, ParentMessage } from './protocol.ts';

const tell = (message: ChildMessage) => process.send?.(message);

function kindOf(error: unknown): FailureKind {
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (/PlatformUnsupported|CHDB_PLATFORM/.test(text)) return 'unsupported_platform';
  return /lock file|already (?:in use|locked|running)/i.test(text) ? 'in_use' : 'other';
}

async function open(message: OpenMessage): Promise<() => Promise<void>> {
  // Imported late, so that a platform without a build gets a message, not a crash at load.
  const [{ openEngine }, { serveEngine }] = await Promise.all([import('./engine.ts'), import('./http.ts')]);
  const engine = openEngine(message);
  const server = await serveEngine(engine, message.token);
  tell({ type: 'ready', port: server.port, version: engine.version });
  return async () => {
    await server.close();
    engine.close();
  };
}

let close: (() => Promise<void>) | undefined;

process.on('message', (message: ParentMessage) => {
  if (message.type === 'open') {
    open(message).then(
      (stop) => {
        close = stop;
      },
      (error: unknown) => {
        const text = error instanceof EngineException ? error.message : String(error);
        process.send?.({ type: 'failed', kind: kindOf(error), message: text } satisfies ChildMessage, () =>
          process.exit(1),
        );
      },
    );
  } else {
    (close?.() ?? Promise.resolve()).finally(() => process.exit(0));
  }
});

// The parent is gone: no one will read a result, and the store is made to survive a kill. No orderly close, which could wait for a query.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal's Ctrl-C reaches the whole group; the parent decides when the store may close.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
