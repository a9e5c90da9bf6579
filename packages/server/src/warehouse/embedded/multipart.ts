/**
 * `multipart/form-data` as `@clickhouse/client` writes it: the statement as the part `query`, its parameters as `param_<name>`. Parameters
 * travel in the body because an address of more than 8 KiB is refused by common proxies.
 */
import { CODES, EngineException } from './exceptions.ts';

/** Like a server's `http_max_fields`, far below it: no statement of ours has more parameters. */
const MAX_PARTS = 200;
const DISPOSITION = /^content-disposition:\s*form-data;\s*name="([A-Za-z_]\w*)"\s*$/i;

/** @returns the boundary; null: the body is no form */
export function boundaryOf(contentType: string | undefined): string | null {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return null;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw broken('its boundary is missing');
  return boundary;
}

/**
 * Name → text of each part, in order. Linear in the body.
 * @throws EngineException 36 on a body that does not have this form
 */
export function readParts(body: Buffer, boundary: string): [name: string, text: string][] {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = delimiter.subarray(2);
  if (!body.subarray(0, first.length).equals(first)) throw broken('it does not begin with its boundary');
  const parts: [string, string][] = [];
  let at = first.length;
  while (!body.subarray(at, at + 2).equals(LAST)) {
    if (!body.subarray(at, at + 2).equals(LINE_END)) throw broken('a boundary is not the end of its line');
    if (parts.length >= MAX_PARTS) throw broken(`it has more than ${MAX_PARTS} parts`);
    const head = body.indexOf(HEAD_END, at);
    const end = head === -1 ? -1 : body.indexOf(delimiter, head + HEAD_END.length - 2);
    if (end === -1) throw broken('a part does not end');
    const name = DISPOSITION.exec(body.toString('utf8', at + 2, head))?.[1];
    if (name === undefined) throw broken('a part has no plain name');
    parts.push([name, body.toString('utf8', Math.min(head + HEAD_END.length, end), end)]);
    at = end + delimiter.length;
  }
  return parts;
}

const LAST = Buffer.from('--');
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

const broken = (what: string) => new EngineException(CODES.badArguments, `The form can't be read: ${what}`);
