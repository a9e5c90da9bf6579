/** Writes a gzipped log push body, in a process of its own so that it leaves no memory behind: node bench/write-lines.ts FILE LINES BYTES START */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { logpushLines } from './logpush-lines.ts';

const [file = '', lines, bytes, start] = process.argv.slice(2);

/** Stops at whichever bound comes first; the lines are ASCII, so characters are bytes. */
function* chunks(): Generator<string> {
  let chunk = '';
  let written = 0;
  for (const line of logpushLines(Number(lines), Number(start))) {
    written += line.length + 1;
    if (written > Number(bytes)) break;
    chunk += `${line}\n`;
    if (chunk.length > 1024 ** 2) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

await pipeline(Readable.from(chunks()), createGzip({ level: 6 }), createWriteStream(file));
