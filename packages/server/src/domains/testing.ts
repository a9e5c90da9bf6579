/** A name server of one's own on a free UDP port: answers TXT questions from a map, and nothing else. */
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

export interface TestNameServer {
  /** `address:port`, as a resolver takes it. */
  readonly address: string;
  /** Name → its TXT records; a name that is missing does not exist. */
  readonly records: Map<string, string[]>;
  /** Answer every question with SERVFAIL. */
  failing: boolean;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const [NOERROR, SERVFAIL, NXDOMAIN] = [0, 2, 3];

export async function startNameServer(): Promise<TestNameServer> {
  const socket = createSocket('udp4');
  const records = new Map<string, string[]>();
  const server = { records, failing: false };
  socket.on('message', (question, { port, address }) => {
    const { name, end } = nameIn(question);
    const texts = records.get(name) ?? [];
    const code = server.failing ? SERVFAIL : texts.length === 0 ? NXDOMAIN : NOERROR;
    const header = Buffer.alloc(HEADER_BYTES);
    question.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (code ?? 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(code === NOERROR ? texts.length : 0, 6);
    // Name, type and class of the question, then each answer, which points back to that name.
    const answers = code === NOERROR ? texts.map(txtAnswer) : [];
    socket.send(Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return Object.assign(server, {
    address: `127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  });
}

function nameIn(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function txtAnswer(text: string): Buffer {
  const bytes = Buffer.from(text);
  // Strings of a record are at most 255 bytes; a long one comes in pieces that belong together.
  const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, piece) => {
    const part = bytes.subarray(piece * 255, piece * 255 + 255);
    return Buffer.concat([Buffer.from([part.length]), part]);
  });
  const data = Buffer.concat(pieces);
  const fixed = Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    16,
    0,
    1,
    0,
    0,
    0,
    0,
    data.length >> 8,
    data.length & 0xff,
  ]);
  return Buffer.concat([fixed, data]);
}
