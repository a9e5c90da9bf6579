/** A request as every framework shows it: by Node's own message, or by the Web's `Request`. */
import type { IncomingMessage } from 'node:http';

export interface Incoming {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly target: string;
  /** Address of who connected; empty where the framework doesn't tell. */
  readonly peer: string;
  readonly encrypted: boolean;
  /** @param name in lower case @returns empty where there is none; several values are joined by commas */
  header(name: string): string;
  /** All of them. */
  headers(): Headers;
}

/** @param target where the framework has changed the message's own */
export function ofMessage(message: IncomingMessage, target: string = message.url ?? '/'): Incoming {
  return {
    method: message.method ?? '',
    target,
    ...connectionOf(message),
    header(name) {
      const value = message.headers[name];
      return value === undefined ? '' : typeof value === 'string' ? value : value.join(', ');
    },
    headers() {
      const all = new Headers();
      for (const [name, value] of Object.entries(message.headers)) {
        // HTTP/2's own, which are no fields.
        if (name.startsWith(':') || value === undefined) continue;
        for (const one of typeof value === 'string' ? [value] : value) all.append(name, one);
      }
      return all;
    },
  };
}

/** Read when the request comes: a socket that was closed has no address. */
function connectionOf({ socket }: IncomingMessage): Pick<Incoming, 'peer' | 'encrypted'> {
  try {
    return {
      peer: socket?.remoteAddress ?? '',
      encrypted: (socket as { encrypted?: unknown } | null)?.encrypted === true,
    };
  } catch {
    // HTTP/2's stands for a session, and throws when that has ended.
    return { peer: '', encrypted: false };
  }
}

export function ofRequest(request: Request): Incoming {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    peer: '',
    encrypted: url.protocol === 'https:',
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : ''),
    headers: () => new Headers(request.headers),
  };
}

/** The Host header, or what stands for it in HTTP/2. @returns lower case, without a default port */
export function hostOf(incoming: Incoming): string {
  const host = incoming.header('host') || incoming.header(':authority');
  return host
    .trim()
    .toLowerCase()
    .replace(/:(?:80|443)$/, '');
}
