/** A collector of traces as a test needs it: takes OTLP over HTTP in protobuf and keeps the spans. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the first of its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** 2: failed. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Every byte that came, as text. */
  received = '';
  headers: IncomingHttpHeaders = {};
  requests = 0;
  /** Takes requests and answers none of them. */
  hangs = false;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.requests += 1;
      this.headers = request.headers;
      if (this.hangs) return;
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      this.received += body.toString('latin1');
      if (request.url === '/v1/traces') this.spans.push(...spansOf(body));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): ReceivedSpan | undefined {
    return this.spans.find((span) => span.name === name);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Field number → its values in the order of the message; a nested message or a text is its bytes. */
type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

function messageOf(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const parts = (message: Message, field: number): Buffer[] =>
  (message.get(field) ?? []).filter((value) => Buffer.isBuffer(value));
const first = (message: Message, field: number): Buffer => parts(message, field)[0] ?? Buffer.alloc(0);
const number = (message: Message, field: number): number => Number(message.get(field)?.[0] ?? 0);

function attributesOf(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(
    parts(message, field).map((bytes) => {
      const pair = messageOf(bytes);
      return [first(pair, 1).toString(), plain(messageOf(first(pair, 2)))];
    }),
  );
}

/** Text, truth value, whole number or fraction. */
function plain(value: Message): unknown {
  if (value.has(1)) return first(value, 1).toString();
  if (value.has(2)) return number(value, 2) === 1;
  if (value.has(3)) return number(value, 3);
  return value.has(4) ? first(value, 4).readDoubleLE() : null;
}

function spansOf(body: Buffer): ReceivedSpan[] {
  return parts(messageOf(body), 1).flatMap((bytes) => {
    const group = messageOf(bytes);
    const resource = attributesOf(messageOf(first(group, 1)), 1);
    return parts(group, 2).flatMap((scope) =>
      parts(messageOf(scope), 2).map((span) => spanOf(messageOf(span), resource)),
    );
  });
}

function spanOf(span: Message, resource: ReceivedSpan['resource']): ReceivedSpan {
  return {
    traceId: first(span, 1).toString('hex'),
    spanId: first(span, 2).toString('hex'),
    parentSpanId: first(span, 4).toString('hex'),
    name: first(span, 5).toString(),
    kind: number(span, 6),
    status: number(messageOf(first(span, 15)), 3),
    attributes: attributesOf(span, 9),
    resource,
  };
}
