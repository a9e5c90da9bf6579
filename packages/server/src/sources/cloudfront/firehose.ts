/**
 * The envelope of Data Firehose: `{"requestId", "timestamp", "records": [{"data": "<base64>"}, …]}`, up to 64 MiB. Records are decoded as they
 * stream in. One may be gzip inside (CloudWatch Logs subscriptions are), and then hold CloudWatch's own envelope.
 */
import { gunzipSync } from 'node:zlib';
import { ServiceError } from '../../common/index.ts';
import { JsonWalk } from '../envelope/json-walk.ts';
import { LinesOut } from '../envelope/lines-out.ts';
import type { Reframing } from '../source.ts';

/** 1,000 KiB before base64 is Firehose's own limit. */
const MAX_RECORD_BYTES = 1024 * 1024 + 64 * 1024;
/** What a record may inflate to: logs shrink to a tenth or a twentieth, bombs to a thousandth. */
const inflatedLimit = (compressed: number): number => 64 * 1024 + 100 * compressed;
const CLOUDWATCH = '{"messageType"';

export class Firehose implements Reframing {
  readonly #out = new LinesOut();
  readonly #record = new DataRecord(this.#out);
  readonly #walk = new JsonWalk([['records'], ['data']], {
    text: (piece) => this.#record.push(piece),
    textEnd: () => this.#record.end(),
    object: () => undefined,
    objectEnd: () => undefined,
  });

  push(chunk: Buffer): Buffer {
    this.#walk.push(chunk);
    return this.#out.takeLines();
  }

  /** @throws ServiceError `malformed_body` for what is no envelope, or is cut short: nothing of it is stored, and its sender repeats it */
  end(): void {
    if (!this.#walk.isWhole)
      throw new ServiceError('malformed_body', 'The body is not a complete Data Firehose request.');
  }

  takePassed(): number {
    return 0;
  }

  takeRejected() {
    return this.#out.takeRejected();
  }
}

/** The record that is being read. */
class DataRecord {
  readonly #out: LinesOut;
  /** Base64 is decoded four characters at a time. */
  #odd = '';
  #form: 'unknown' | 'plain' | 'gzip' | 'too long' = 'unknown';
  #held: Buffer[] = [];
  #bytes = 0;

  constructor(out: LinesOut) {
    this.#out = out;
  }

  push(piece: Buffer): void {
    const text = this.#odd + piece.toString('latin1');
    const whole = text.length - (text.length % 4);
    this.#odd = text.slice(whole);
    this.#take(Buffer.from(text.slice(0, whole), 'base64'));
  }

  end(): void {
    if (this.#odd !== '') this.#take(Buffer.from(this.#odd, 'base64'));
    if (this.#form === 'too long') this.#out.reject('line_too_long', Buffer.alloc(0));
    else if (this.#form === 'gzip') this.#inflate(Buffer.concat(this.#held));
    else this.#out.write(Buffer.concat(this.#held));
    this.#out.endLine();
    this.#odd = '';
    this.#form = 'unknown';
    this.#held = [];
    this.#bytes = 0;
  }

  #take(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_RECORD_BYTES) {
      this.#form = 'too long';
      this.#held = [];
    }
    if (this.#form === 'too long') return;
    this.#held.push(bytes);
    if (this.#form === 'unknown' && this.#bytes >= 2) {
      const head = Buffer.concat(this.#held);
      this.#form = head[0] === 0x1f && head[1] === 0x8b ? 'gzip' : 'plain';
      this.#held = [head];
    }
    if (this.#form === 'plain') for (const held of this.#held.splice(0)) this.#out.write(held);
  }

  #inflate(compressed: Buffer): void {
    try {
      const bytes = gunzipSync(compressed, { maxOutputLength: inflatedLimit(compressed.length) });
      if (bytes.toString('latin1', 0, CLOUDWATCH.length) === CLOUDWATCH) this.#messages(bytes);
      else this.#out.write(bytes);
    } catch {
      this.#out.reject('damaged_record', Buffer.alloc(0));
    }
  }

  /** `{"messageType":"DATA_MESSAGE","logEvents":[{"message":"<line>"}]}`; a control message has nothing to say. */
  #messages(bytes: Buffer): void {
    const { messageType, logEvents } = JSON.parse(bytes.toString()) as Readonly<{
      messageType?: unknown;
      logEvents?: unknown;
    }>;
    if (messageType !== 'DATA_MESSAGE' || !Array.isArray(logEvents)) return;
    for (const event of logEvents as readonly unknown[]) {
      const message = (event as { message?: unknown } | null)?.message;
      if (typeof message !== 'string') continue;
      this.#out.write(Buffer.from(message));
      this.#out.endLine();
    }
  }
}
