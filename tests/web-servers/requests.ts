/** Requests as odd as the web sends them, byte by byte, and what every log must say of each. */
import { readFileSync } from 'node:fs';

export interface OddRequest {
  readonly name: string;
  /** As sent; one character is one byte. */
  readonly bytes: string;
  /** Over IPv6. */
  readonly v6?: boolean;
  /** What a server that takes the request logs of it. Absent: it asks for no page. */
  readonly said?: {
    readonly method: string;
    /** As one character a byte. */
    readonly pathname: string;
    readonly host?: string;
    readonly user_agent: string;
    readonly referer: string;
    readonly forwarded_for: string;
    readonly signature: string;
    readonly signature_input: string;
    readonly signature_agent: string;
  };
}

export const HOST = 'shop.example';

interface Asked {
  readonly method?: string;
  readonly target?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly v6?: boolean;
}

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

function asking(
  name: string,
  { method = 'GET', target = '/page', host = HOST, headers = {}, v6 }: Asked,
): OddRequest {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  const value = (header: string): string => textOf(headers[header] ?? '').trim();
  const absolute = /^http:\/\/([^/]+)(.*)$/.exec(target);
  return {
    name,
    bytes: `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}Connection: close\r\n\r\n`,
    ...(v6 === true ? { v6 } : {}),
    said: {
      method,
      pathname: textOf(absolute?.[2] ?? target),
      host: absolute?.[1] ?? host,
      user_agent: value('User-Agent'),
      referer: value('Referer'),
      forwarded_for: value('X-Forwarded-For'),
      signature: value('Signature'),
      signature_input: value('Signature-Input'),
      signature_agent: value('Signature-Agent'),
    },
  };
}

const vectors = new URL('../../packages/core/vectors/classify.json', import.meta.url);
const agents = (JSON.parse(readFileSync(vectors, 'utf8')) as { cases: { user_agent: string }[] }).cases
  .map(({ user_agent }) => user_agent)
  .filter((agent, index, all) => index % 6 === 0 && agent === agent.trim() && all.indexOf(agent) === index);

const ua = (text: string) => ({ headers: { 'User-Agent': bytesOf(text) } });

export const REQUESTS: readonly OddRequest[] = [
  ...agents.filter((agent) => agent !== '').map((agent, index) => asking(`user agent ${index}`, ua(agent))),
  asking('no user agent', {}),
  asking('a dash for a user agent', { headers: { 'User-Agent': '-' } }),
  asking('quotes and backslashes', {
    headers: { 'User-Agent': 'a "quoted\\" \\x22 \\\\ bot', Referer: 'https://x.example/"\\' },
  }),
  asking('UTF-8 in headers', {
    headers: { 'User-Agent': bytesOf('é 日本 💥'), Referer: bytesOf('https://x.example/é') },
  }),
  asking('bytes that are no UTF-8', { headers: { 'User-Agent': 'bad \xc3\x28 \xff bot' } }),
  asking('a tab in a header', { headers: { 'User-Agent': 'a\tb' } }),
  asking('JSON in a header', { headers: { 'User-Agent': '{"a":"b"}, [x] } #{|}' } }),
  asking('a folded header', { headers: { 'User-Agent': 'a\r\n b' } }),
  asking('a control character in a header', { headers: { 'User-Agent': 'a\x01b' } }),
  asking('a zero byte in a header', { headers: { 'User-Agent': 'a\x00b' } }),
  asking('percent-encodings', { target: '/caf%C3%A9/%2F%22?q=%20a+b&x=%25%32%35' }),
  asking('a path with a double slash and dots', { target: '//a/./b/../c?x=//' }),
  asking('quotes in the query', { target: '/?q="a"&b=\\x22' }),
  asking('bytes above ASCII in the path', { target: `/${bytesOf('é')}` }),
  asking('a path that is no UTF-8', { target: '/\xc3\x28' }),
  asking('a blank in the path', { target: '/a b' }),
  asking('a long path', { target: `/${'x'.repeat(4000)}?y=1` }),
  asking('an absolute address', { target: `http://other.example/page?x=1` }),
  asking('a port in the host', { host: `${HOST}:8080` }),
  asking('IPv6', { v6: true, ...ua('GPTBot/1.3') }),
  asking('HEAD', { method: 'HEAD' }),
  asking('an unusual method', { method: 'PROPFIND' }),
  ...[204, 301, 404, 500, 503].map((status) => asking(`status ${status}`, { target: `/status/${status}` })),
  asking('an answer of no bytes', { target: '/empty' }),
  asking('X-Forwarded-For', {
    headers: { 'X-Forwarded-For': '198.51.100.7, 10.0.0.1', 'User-Agent': 'ClaudeBot/1.0' },
  }),
  asking('a signed request', {
    headers: {
      'User-Agent': 'Mozilla/5.0',
      'Signature-Agent': '"https://agent.example"',
      'Signature-Input':
        'sig1=("@authority" "signature-agent");created=1735689600;keyid="poqk";tag="web-bot-auth"',
      Signature:
        'sig1=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
    },
  }),
  { name: 'OPTIONS *', bytes: `OPTIONS * HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n` },
  {
    name: 'CONNECT',
    bytes: `CONNECT x.example:443 HTTP/1.1\r\nHost: x.example:443\r\nConnection: close\r\n\r\n`,
  },
  { name: 'TLS on a plain port', bytes: '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03"\\\r\n\r\n' },
  { name: 'an empty line', bytes: '\r\n\r\n' },
  { name: 'no protocol', bytes: 'GET\r\n\r\n' },
];
