/** Requests as no HTTP client would send them: bytes on a socket. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  status: number;
  /** Head and body as received. */
  text: string;
  /** From the connection to the first byte of the answer, and to its end; milliseconds. */
  firstByteMs: number;
  closedMs: number;
}

/**
 * Sends the bytes and reads until the other side closes, or until `enoughMs` after the first byte of the answer.
 * @param address `http://host:port`
 */
export function rawRequest(
  address: string,
  bytes: string | Uint8Array,
  { enoughMs = 200, giveUpMs = 20_000 }: { enoughMs?: number; giveUpMs?: number } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const started = performance.now();
    const received: Buffer[] = [];
    let firstByteMs = 0;
    let enough: NodeJS.Timeout | undefined;
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    const giveUp = setTimeout(() => socket.destroy(), giveUpMs);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (firstByteMs !== 0) return;
      firstByteMs = performance.now() - started;
      enough = setTimeout(() => socket.destroy(), enoughMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(giveUp);
      clearTimeout(enough);
      const text = Buffer.concat(received).toString('latin1');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text, firstByteMs, closedMs: performance.now() - started });
    });
  });
}

/** The head of a POST; the caller says how the body is framed. */
export function head(path: string, headers: readonly string[]): string {
  return `${[`POST ${path} HTTP/1.1`, 'Host: test', ...headers].join('\r\n')}\r\n\r\n`;
}
