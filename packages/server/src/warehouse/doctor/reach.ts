/** Whether ClickHouse's HTTP interface answers at CLICKHOUSE_URL, over which TLS, and what is in between. No name or password is sent. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { DAY_MS } from '@ghostlight/core/time';
import { counted } from '../../common/index.ts';
import { bad, type CheckFinding, good, note, type Outcome } from './check.ts';

const PATIENCE_MS = 10_000;
/** A certificate that ends sooner should have been renewed by now. */
const RENEWED_DAYS = 14;
const DAYS = ['day', 'days'] as const;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** When the server's certificate ends; epoch milliseconds. null without TLS. */
  readonly certificateUntil: number | null;
}

/** @param patienceMs how long an answer may take */
export async function reach(address: string, now: number, patienceMs = PATIENCE_MS): Promise<CheckFinding[]> {
  const url = new URL(address);
  try {
    const answer = await ping(url, patienceMs);
    return [
      ...answered(url, answer).map((outcome) => ({ check: 'reachable', ...outcome })),
      ...overTls(url, answer, now).map((outcome) => ({ check: 'tls', ...outcome })),
    ];
  } catch (error) {
    const tls = certificateTrouble(url, error);
    return [
      tls === null ? { check: 'reachable', ...bad(unreachable(url, error)) } : { check: 'tls', ...bad(tls) },
    ];
  }
}

async function ping(url: URL, patienceMs: number): Promise<Answer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((settle, fail) => {
    send({
      ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url), path: '/ping', agent: false },
      signal: AbortSignal.timeout(patienceMs),
    })
      .once('response', settle)
      .once('error', fail)
      .end();
  });
  const until =
    url.protocol === 'https:' ? (response.socket as TLSSocket).getPeerCertificate().valid_to : null;
  const body = await text(response);
  return {
    ...{ status: response.statusCode ?? 0, headers: response.headers, body },
    certificateUntil: until === null || until === undefined ? null : Date.parse(until),
  };
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const placeOf = (url: URL): string => `${url.hostname}:${portOf(url)}`;

function answered(url: URL, { status, headers, body }: Answer): Outcome[] {
  const place = placeOf(url);
  if (status === 200 && body.startsWith('Ok.')) return [good(`ClickHouse answers at ${place}.`)];
  if (/clickhouse-client/i.test(body))
    return [
      bad(
        `${place} is the port of ClickHouse’s native protocol. CLICKHOUSE_URL needs its HTTP port: 8123, or 8443 with https.`,
      ),
    ];
  const server = headers.server === undefined ? '' : ` (${headers.server})`;
  return [
    bad(
      `At ${place} something other than ClickHouse answers: status ${status}${server}. If it is a proxy or a balancer, its servers are down or its rules don’t forward the path /ping.`,
    ),
  ];
}

function overTls(url: URL, { certificateUntil }: Answer, now: number): Outcome[] {
  if (certificateUntil === null) {
    if (isNear(url.hostname)) return [];
    return [
      note(
        `CLICKHOUSE_URL is http: the password and every hit travel in clear text to ${url.hostname}. Use https, or a network that only you can read.`,
      ),
    ];
  }
  const days = Math.floor((certificateUntil - now) / DAY_MS);
  return days < RENEWED_DAYS
    ? [note(`The certificate of ${url.hostname} ends in ${counted(days, DAYS)}: renew it.`)]
    : [good(`TLS: the certificate is trusted, and valid for ${counted(days, DAYS)}.`)];
}

/** This machine, a private network, or a name without a dot, as containers have. */
function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 4) return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host);
  if (isIP(host) === 6) return /^(?:::1$|f[cd])/i.test(host);
  return !host.includes('.') || /\.(?:local|internal|svc|localhost|lan)$/.test(host);
}

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired: renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for another name: use the name in the certificate, or issue one for this name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed: give its file as NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN:
    'is signed by an unknown authority: give the authority’s file as NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'comes without its chain, or from an unknown authority: let the server send the chain, or give it as NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'is signed by an unknown authority: give the authority’s file as NODE_EXTRA_CA_CERTS',
};

function certificateTrouble(url: URL, error: unknown): string | null {
  const { code = '' } = error as { code?: string };
  const trouble = CERTIFICATES[code];
  if (trouble !== undefined) return `The certificate of ${url.hostname} ${trouble}.`;
  return code === 'EPROTO' || code.startsWith('ERR_SSL')
    ? `${placeOf(url)} does not speak TLS, and CLICKHOUSE_URL is https. Use the port for https (8443), or http with 8123.`
    : null;
}

function unreachable(url: URL, error: unknown): string {
  const { name, code = '', message } = error as Error & { code?: string };
  const place = placeOf(url);
  const cloud = url.hostname.endsWith('.clickhouse.cloud')
    ? ' On ClickHouse Cloud, add this machine to the IP access list; a service that was idle needs up to a minute to wake.'
    : '';
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return `${place} did not answer within ${PATIENCE_MS / 1_000} s: the server hangs, or a firewall drops the packets.${cloud}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name ${url.hostname} has no address (${code}). Check CLICKHOUSE_URL and this machine’s DNS.`;
  if (code === 'ECONNREFUSED')
    return `No program accepts connections at ${place}. Check that the server runs, that listen_host lets it answer other machines, and the port: 8123, or 8443 with https.`;
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return `No route leads to ${place} (${code}). Check the network between this machine and the server.`;
  if (code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('HPE_') || message === 'socket hang up')
    return `${place} closes connections without an HTTP answer. It may be the native port (9000, 9440), a port that needs https, or a balancer without a server.${cloud}`;
  return `${place} can’t be reached: ${code || message}.${cloud}`;
}
