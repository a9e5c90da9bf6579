/** Lines as servers print them, for tests and benchmarks: the other direction of the decoders, with each server's own escapes. */
import type { LogRecord } from '../record.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Byte by byte: `spell` says how a byte is written; undefined: as it is. */
function escaped(text: string, spell: (byte: number, char: string) => string | undefined): string {
  let out = '';
  for (const byte of utf8(text)) {
    const char = String.fromCharCode(byte);
    out += spell(byte, char) ?? char;
  }
  return out;
}

const isPlain = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

export const nginxText = (text: string): string =>
  escaped(text, (byte, char) =>
    !isPlain(byte) || char === '"' || char === '\\' ? `\\x${hex(byte).toUpperCase()}` : undefined,
  );

const APACHE: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};
export const apacheText = (text: string): string =>
  escaped(text, (byte, char) => APACHE[char] ?? (isPlain(byte) ? undefined : `\\x${hex(byte)}`));

/** nginx with `escape=json`: bytes above ASCII stay as they are. */
const nginxJson = (text: string): string =>
  [...text]
    .map((char) => {
      if (char === '"' || char === '\\') return `\\${char}`;
      const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }[char];
      return short ?? (char < ' ' ? `\\u00${hex(char.charCodeAt(0)).toUpperCase()}` : char);
    })
    .join('');

const haproxyText = (special: string) => (text: string) =>
  escaped(text, (byte, char) =>
    !isPlain(byte) || special.includes(char) ? `#${hex(byte).toUpperCase()}` : undefined,
  );
const haproxyHeader = haproxyText('"#{|}');
const haproxyUrl = haproxyText('"#');

const cloudfrontText = (text: string): string =>
  escaped(text, (byte, char) =>
    byte <= 0x20 || byte >= 0x7f || '<>"#%{}|\\^~[]`\''.includes(char)
      ? `%${hex(byte).toUpperCase()}`
      : undefined,
  );

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param offset minutes east of UTC */
export function clfTime(at: number, offset = 0): string {
  const [date = '', time = ''] = new Date(at + offset * 60_000).toISOString().split(/[T.]/);
  const [year = '', month = '', day = ''] = date.split('-');
  const zone = `${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} ${offset < 0 ? '-' : '+'}${zone}`;
}

const dash = (text: string): string => (text === '' ? '-' : text);

export const printCombined = (record: LogRecord, text = nginxText, offset = 0): string =>
  `${dash(record.ip)} - - [${clfTime(record.timestamp, offset)}] "${text(`${record.method} ${record.pathname} HTTP/1.1`)}" ${String(record.status).padStart(3, '0')} ${record.bytes} "${dash(text(record.referer))}" "${dash(text(record.user_agent))}"`;

export const printVhostCombined = (record: LogRecord, offset = 0): string =>
  `${record.host}:443 ${printCombined(record, apacheText, offset)}`;

export const printCommon = (record: LogRecord): string =>
  `${dash(record.ip)} - frank [${clfTime(record.timestamp)}] "${apacheText(`${record.method} ${record.pathname} HTTP/1.0`)}" ${record.status} ${record.bytes === 0 ? '-' : record.bytes}`;

export function printNginxJson(record: LogRecord): string {
  const members = {
    time: new Date(record.timestamp).toISOString().replace(/\.\d+Z$/, '+00:00'),
    msec: (record.timestamp / 1000).toFixed(3),
    host: record.host,
    remote_addr: record.ip,
    method: record.method,
    uri: record.pathname,
    status: String(record.status).padStart(3, '0'),
    bytes: String(record.bytes),
    referer: record.referer,
    ua: record.user_agent,
    request_id: record.request_id,
    xff: record.forwarded_for,
    signature_agent: record.signature_agent,
    signature_input: record.signature_input,
    signature: record.signature,
    accept: record.accept,
    https: record.scheme === 'https' ? 'on' : '',
  };
  return `{${Object.entries(members)
    .map(([name, value]) => `"${name}":"${nginxJson(value)}"`)
    .join(',')}}`;
}

export function printApacheJson(record: LogRecord): string {
  const members = {
    time: (record.timestamp / 1000).toFixed(3),
    host: record.host,
    remote_addr: record.ip,
    request: `${record.method} ${record.pathname} HTTP/1.1`,
    status: String(record.status),
    bytes: String(record.bytes),
    referer: dash(record.referer),
    ua: dash(record.user_agent),
    request_id: dash(record.request_id),
    xff: dash(record.forwarded_for),
    signature_agent: dash(record.signature_agent),
    signature_input: dash(record.signature_input),
    signature: dash(record.signature),
    accept: dash(record.accept),
    https: record.scheme === 'https' ? 'on' : '-',
  };
  return `{${Object.entries(members)
    .map(([name, value]) => `"${name}":"${apacheText(value)}"`)
    .join(',')}}`;
}

export function printCaddy(record: LogRecord): string {
  const headers = {
    'User-Agent': record.user_agent,
    Referer: record.referer,
    'X-Forwarded-For': record.forwarded_for,
    Accept: record.accept,
    Signature: record.signature,
    'Signature-Input': record.signature_input,
    'Signature-Agent': record.signature_agent,
  };
  return JSON.stringify({
    level: 'info',
    ts: record.timestamp / 1000,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: '10.0.0.1',
      remote_port: '41342',
      client_ip: record.ip,
      proto: 'HTTP/2.0',
      method: record.method,
      host: record.host,
      uri: record.pathname,
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => [name, [value]]),
      ),
      ...(record.scheme === 'https' ? { tls: { resumed: false, version: 772 } } : {}),
    },
    bytes_read: 0,
    user_id: '',
    duration: 0.000929675,
    size: record.bytes,
    status: record.status,
    resp_headers: { Server: ['Caddy'] },
  });
}

export const HAPROXY_CAPTURES = ['host', 'user-agent', 'referer', 'x-forwarded-for'];

export const printHaproxy = (record: LogRecord): string => {
  const headers = [record.host, record.user_agent, record.referer, record.forwarded_for].map(haproxyHeader);
  const [time = ''] = clfTime(record.timestamp).split(' ');
  const millis = String(record.timestamp % 1000).padStart(3, '0');
  const frontend = record.scheme === 'https' ? 'www~' : 'www';
  return `Nov 22 04:27:31 lb haproxy[389]: ${record.ip}:33317 [${time}.${millis}] ${frontend} app/s1 10/0/30/69/109 ${record.status || -1} ${record.bytes} - - ---- 1/1/1/1/0 0/0 {${headers.join('|')}} {} "${haproxyUrl(`${record.method} ${record.pathname} HTTP/1.1`)}"`;
};

export const IIS_HEADER =
  '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes time-taken';

export function printIis(record: LogRecord): string {
  const [path = '', query = ''] = record.pathname.split(/\?(.*)/s);
  const [date = '', time = ''] = new Date(record.timestamp).toISOString().split(/[T.]/);
  const blanks = (text: string): string => dash(text.replaceAll(' ', '+'));
  const port = record.scheme === 'https' ? 443 : 80;
  return `${date} ${time} 10.0.0.1 ${record.method} ${path} ${dash(query)} ${port} - ${record.ip} ${blanks(record.user_agent)} ${blanks(record.referer)} ${record.host} ${record.status} 0 0 ${record.bytes} 15`;
}

export const CLOUDFRONT_HEADER =
  '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for';

export function printCloudfront(record: LogRecord): string {
  const [path = '', query = ''] = record.pathname.split(/\?(.*)/s);
  const [date = '', time = ''] = new Date(record.timestamp).toISOString().split(/[T.]/);
  const value = (text: string): string => dash(cloudfrontText(text));
  return [
    ...[date, time, 'FRA2-C1', record.bytes, record.ip, record.method, 'd111111abcdef8.cloudfront.net'],
    ...[value(path), String(record.status).padStart(3, '0'), value(record.referer), value(record.user_agent)],
    ...[value(query), '-', 'Hit', dash(record.request_id), record.host, record.scheme || 'http', 23, '0.001'],
    value(record.forwarded_for),
  ].join('\t');
}
