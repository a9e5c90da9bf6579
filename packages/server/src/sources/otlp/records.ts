/** Both encodings of OTLP, made lines: one JSON object a log record, with its attributes as plain members. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ServiceError } from '../../common/index.ts';
import { JsonWalk } from '../envelope/json-walk.ts';
import { LinesOut } from '../envelope/lines-out.ts';
import type { JsonLine } from '../json-lines/form.ts';
import type { Reframing } from '../source.ts';
import { ProtoWalk } from './proto-walk.ts';

const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_ATTRIBUTES = 500;
const NOTHING = Buffer.alloc(0);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;

abstract class OtlpRecords implements Reframing {
  protected readonly out = new LinesOut();

  abstract push(chunk: Buffer): Buffer;
  /** @throws ServiceError `malformed_body` */
  abstract end(): void;

  takePassed(): number {
    return 0;
  }

  takeRejected() {
    return this.out.takeRejected();
  }
}

export class JsonRecords extends OtlpRecords {
  #held: Buffer[] = [];
  #bytes = 0;
  readonly #walk = new JsonWalk([['resourceLogs'], ['scopeLogs'], ['logRecords']], {
    text: () => undefined,
    textEnd: () => undefined,
    object: (piece) => {
      this.#bytes += piece.length;
      if (this.#bytes <= MAX_RECORD_BYTES) this.#held.push(Buffer.from(piece));
    },
    objectEnd: () => {
      if (this.#bytes > MAX_RECORD_BYTES) this.out.reject('line_too_long', this.#held[0] ?? NOTHING);
      else this.out.write(withoutFeeds(Buffer.concat(this.#held)));
      this.out.endLine();
      this.#held = [];
      this.#bytes = 0;
    },
  });

  push(chunk: Buffer): Buffer {
    this.#walk.push(chunk);
    return this.out.takeLines();
  }

  end(): void {
    if (!this.#walk.isWhole)
      throw new ServiceError('malformed_body', 'The body is no ExportLogsServiceRequest in the JSON format.');
  }
}

/** Between members they are blanks; within a text JSON has none. */
function withoutFeeds(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) bytes[at] = BLANK;
  return bytes;
}

export class ProtobufRecords extends OtlpRecords {
  readonly #walk = new ProtoWalk(
    {
      record: (bytes) => {
        try {
          this.out.write(Buffer.from(JSON.stringify(recordIn(bytes))));
        } catch {
          this.out.reject('unreadable', NOTHING);
        }
        this.out.endLine();
      },
      tooLong: () => this.out.reject('line_too_long', NOTHING),
    },
    MAX_RECORD_BYTES,
  );

  push(chunk: Buffer): Buffer {
    this.#walk.push(chunk);
    return this.out.takeLines();
  }

  end(): void {
    this.#walk.end();
  }
}

/** Field numbers of `LogRecord`, `KeyValue` and `AnyValue`. @throws RangeError, Error for what is none */
function recordIn(bytes: Buffer): JsonLine {
  const reader = new BinaryReader(bytes);
  const line: JsonLine = {};
  const attributes: JsonLine = {};
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.Bit64) line['timeUnixNano'] = String(reader.fixed64());
    else if (field === 11 && type === WireType.Bit64) line['observedTimeUnixNano'] = String(reader.fixed64());
    else if (field === 5 && type === WireType.LengthDelimited) line['body'] = anyValue(reader.bytes());
    else if (field === 6 && type === WireType.LengthDelimited) keyValue(reader.bytes(), attributes);
    else reader.skip(type, field);
  }
  return { ...line, attributes };
}

function keyValue(bytes: Uint8Array, into: JsonLine): void {
  const reader = new BinaryReader(bytes);
  let key = '';
  let value: unknown;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) key = reader.string();
    else if (field === 2 && type === WireType.LengthDelimited) value = anyValue(reader.bytes());
    else reader.skip(type, field);
  }
  set(into, key, value);
}

/** Texts, numbers, and the first of a list, as headers come; nothing else is read. */
function anyValue(bytes: Uint8Array): unknown {
  const reader = new BinaryReader(bytes);
  let value: unknown;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) value = reader.string();
    else if (field === 2 && type === WireType.Varint) value = reader.bool();
    else if (field === 3 && type === WireType.Varint) value = String(reader.int64());
    else if (field === 4 && type === WireType.Bit64) value = reader.double();
    else if (field === 5 && type === WireType.LengthDelimited) value = firstOf(reader.bytes());
    else reader.skip(type, field);
  }
  return value;
}

function firstOf(bytes: Uint8Array): unknown {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) return scalarOnly(reader.bytes());
    reader.skip(type, field);
  }
  return undefined;
}

/** Lists of lists would go on as deep as their sender likes. */
function scalarOnly(bytes: Uint8Array): unknown {
  const reader = new BinaryReader(bytes);
  let value: unknown;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) value = reader.string();
    else reader.skip(type, field);
  }
  return value;
}

/** The JSON encoding's record in the form of the other one's; what is in that form already stays. */
export function unwrapped(line: JsonLine): JsonLine {
  const { attributes, body, ...rest } = line;
  const named: JsonLine = {};
  if (Array.isArray(attributes)) {
    for (const pair of (attributes as unknown[]).slice(0, MAX_ATTRIBUTES)) {
      const { key, value } = (pair ?? {}) as { key?: unknown; value?: unknown };
      if (typeof key === 'string') set(named, key, jsonValue(value));
    }
  } else if (typeof attributes === 'object' && attributes !== null) Object.assign(named, attributes);
  return { ...named, ...rest, body: typeof body === 'object' ? jsonValue(body) : body };
}

function jsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const any = value as Record<string, unknown>;
  const list = any['arrayValue'] as { values?: unknown } | null | undefined;
  if (list !== undefined && list !== null && Array.isArray(list.values)) {
    const first = (list.values as unknown[])[0] as { stringValue?: unknown } | null | undefined;
    return first?.stringValue;
  }
  return any['stringValue'] ?? any['intValue'] ?? any['doubleValue'] ?? any['boolValue'];
}

function set(into: JsonLine, key: string, value: unknown): void {
  if (key !== '__proto__' && value !== undefined) into[key] = value;
}
