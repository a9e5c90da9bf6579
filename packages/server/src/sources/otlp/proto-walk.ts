/**
 * Finds the log records of an `ExportLogsServiceRequest` while it streams in: only one of them is held at a time. Of the format it knows lengths and
 * field numbers; a record is decoded by its reader.
 */
import { ServiceError } from '../../common/index.ts';

/** `resource_logs` (1) → `scope_logs` (2) → `log_records` (2). */
const WAY = [1, 2, 2] as const;
const MAX_VARINT_BYTES = 10;
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

export interface RecordSink {
  /** A whole log record, to be read before the next call. */
  record(bytes: Buffer): void;
  /** One that is longer than the limit was passed over. */
  tooLong(): void;
}

export class ProtoWalk {
  readonly #sink: RecordSink;
  readonly #maxBytes: number;
  /** What is left of each message that we are inside of; the whole body has no length of its own. */
  readonly #left: number[] = [];
  #place: 'tag' | 'value' | 'length' | 'skip' | 'record' = 'tag';
  #varint = 0;
  #varintBytes = 0;
  #field = 0;
  /** Bytes yet to be passed over, or to be held. */
  #missing = 0;
  #held: Buffer[] = [];

  constructor(sink: RecordSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  /** @throws ServiceError `malformed_body` for what is no such message */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#place === 'skip' || this.#place === 'record') {
        const piece = chunk.subarray(at, at + this.#missing);
        at += piece.length;
        this.#pass(piece);
      } else {
        this.#byte(chunk[at] as number);
        at += 1;
      }
    }
  }

  /** @throws ServiceError `malformed_body` for a body that is cut short */
  end(): void {
    if (this.#place !== 'tag' || this.#varintBytes > 0 || this.#left.length > 0) throw malformed();
  }

  #pass(piece: Buffer): void {
    this.#take(piece.length);
    this.#missing -= piece.length;
    if (this.#place === 'record') this.#held.push(Buffer.from(piece));
    if (this.#missing === 0) this.#endValue();
  }

  #endValue(): void {
    if (this.#place === 'record') {
      this.#sink.record(Buffer.concat(this.#held));
      this.#held = [];
    }
    this.#endField();
  }

  #endField(): void {
    this.#place = 'tag';
    while (this.#left.at(-1) === 0) this.#left.pop();
  }

  /** So many bytes of every message that we are inside of are read. */
  #take(bytes: number): void {
    for (let depth = 0; depth < this.#left.length; depth++) {
      const left = (this.#left[depth] as number) - bytes;
      if (left < 0) throw malformed();
      this.#left[depth] = left;
    }
  }

  #byte(byte: number): void {
    this.#take(1);
    this.#varintBytes += 1;
    if (this.#varintBytes > MAX_VARINT_BYTES) throw malformed();
    this.#varint += (byte & 0x7f) * 2 ** (7 * (this.#varintBytes - 1));
    if (byte >= 0x80) return;
    const value = this.#varint;
    this.#varint = 0;
    this.#varintBytes = 0;
    if (this.#place === 'tag') this.#tag(value);
    else if (this.#place === 'value') this.#endField();
    else this.#length(value);
  }

  #tag(tag: number): void {
    this.#field = Math.floor(tag / 8);
    const type = tag % 8;
    if (this.#field === 0) throw malformed();
    if (type === VARINT) this.#place = 'value';
    else if (type === LENGTH) this.#place = 'length';
    else if (type === FIXED64 || type === FIXED32) this.#skip(type === FIXED64 ? 8 : 4);
    else throw malformed();
  }

  #length(length: number): void {
    if (length > (this.#left.at(-1) ?? Number.MAX_SAFE_INTEGER)) throw malformed();
    const isOnWay = this.#field === WAY[this.#left.length];
    const isRecord = isOnWay && this.#left.length === WAY.length - 1;
    if (isOnWay && !isRecord) {
      this.#left.push(length);
      this.#endField();
      return;
    }
    if (isRecord && length > this.#maxBytes) this.#sink.tooLong();
    this.#skip(length);
    if (!isRecord || length > this.#maxBytes) return;
    this.#place = 'record';
    if (length === 0) this.#endValue();
  }

  #skip(bytes: number): void {
    this.#missing = bytes;
    this.#place = 'skip';
    if (bytes === 0) this.#endField();
  }
}

function malformed(): ServiceError {
  return new ServiceError(
    'malformed_body',
    'The body is no ExportLogsServiceRequest in the protobuf format.',
  );
}
