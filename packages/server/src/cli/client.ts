/**
 * How a command reaches the service: the running one over its socket (see `socket.ts`), or, when none runs, the same application opened in
 * this process. The embedded stores belong to one process at a time, so a command never opens them beside a running service.
 */
import type { Config } from '../config.ts';
import { wasUsed } from '../data-dir.ts';
import { type ApiClient, CommandError } from './command.ts';
import { findRunning } from './socket.ts';

const READS = 'GET';

type Send = (request: Request) => Response | Promise<Response>;

/**
 * @param method of the first request
 * @throws CommandError when it reads, and there is nothing to read: a command that only looks must not make an installation
 */
export async function connect(config: Config, method: string): Promise<ApiClient> {
  const running = await findRunning(config.dataDir);
  if (running !== null) return client(running.address, running.token, running.send, async () => {});
  if (method === READS && config.databaseUrl === null && !wasUsed(config.dataDir))
    throw new CommandError(
      `There is no installation in ${config.dataDir}. Set DATA_DIR to the data directory of one, or start one with ghostlight serve.`,
    );
  // Not at import: beside a running service a command has no use for one, and would read it for half of its time.
  const { createService } = await import('../service.ts');
  const service = await createService(quietly(config), { listen: false });
  return client(
    'http://ghostlight.internal',
    service.adminToken,
    (request) => service.fetch(request),
    () => service.stop(),
  );
}

/** Beside a command's own words, what the opened stores have to say is noise unless something is wrong. */
export function quietly(config: Config): Config {
  return config.logLevel === 'info' ? { ...config, logLevel: 'warn' } : config;
}

function client(address: string, token: string, send: Send, close: () => Promise<void>): ApiClient {
  const ask: ApiClient['ask'] = async (method, path, body) => {
    const response = await send(
      new Request(`${address}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  return {
    ask,
    async call(method, path, sent) {
      const { status, body } = await ask(method, path, sent);
      if (status >= 400) throw new CommandError(refusal(body, status));
      return body;
    },
    close,
  };
}

/** What a person reads of a problem document. @param problem the parsed answer */
export function refusal(problem: unknown, status: number): string {
  if (typeof problem !== 'object' || problem === null) return `The service answered ${status}.`;
  const { detail, errors, request_id } = problem as {
    detail?: string;
    errors?: { pointer: string; message: string }[];
    request_id?: string;
  };
  const places = (errors ?? []).map(({ pointer, message }) => `\n  ${pointer || '/'}: ${message}`).join('');
  // The log has more to say about it, under this id.
  const request = status >= 500 && request_id !== undefined ? `\n  request id: ${request_id}` : '';
  return `${detail ?? `The service answered ${status}.`}${places}${request}`;
}
