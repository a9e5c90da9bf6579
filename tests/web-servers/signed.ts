/** Signed requests (Web Bot Auth) to a real server, right ones and wrong ones, and what is kept of them: their lines, and the keys that they were signed with. */
import { request } from 'node:https';
import type { SignatureAgent } from '@ghostlight/core';
import { createSigner, directoryOf, type Signing } from '../../packages/collector/src/signature/testing.ts';
import { readersOf, settled } from './record.ts';
import { HOST } from './requests.ts';
import type { WebServer } from './servers.ts';

/** It publishes no addresses, so the signature alone decides. */
export const BOT = 'Bytespider';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const AGENT_URL = directoryOf('agent.example');

export interface SignedRecording {
  /** When it was recorded; epoch milliseconds. */
  readonly at: number;
  /** The key of the agent that the list names. */
  readonly agent: SignatureAgent;
  readonly requests: readonly SignedLine[];
}

export interface SignedLine {
  readonly name: string;
  /** Verdict and reason that the service must come to; `not kept`: a browser like any other. */
  readonly verdict: string;
  /** Format → lines, one character a byte. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

interface Case {
  readonly name: string;
  readonly verdict: string;
  readonly signing?: Signing;
  readonly by?: 'stranger';
  readonly userAgent?: string;
  /** What was sent instead of what was signed. */
  readonly sent?: { readonly host?: string; readonly path?: string; readonly method?: string };
  readonly tamper?: (headers: Record<string, string>) => Record<string, string>;
}

const VERIFIED = 'true log_signature';
const everything = ['@authority', '@method', '@path', '@query', '@target-uri', 'signature-agent'];
const hourAgo = (now: number) => ({
  created: Math.floor(now / 1_000) - 7_200,
  expires: Math.floor(now / 1_000) - 3_600,
});

const cases = (now: number): readonly Case[] => [
  { name: 'a signed request', verdict: VERIFIED },
  { name: 'a signed request of a browser', verdict: VERIFIED, userAgent: BROWSER },
  {
    name: 'everything signed',
    verdict: VERIFIED,
    signing: { url: `https://${HOST}/caf%C3%A9/%22?q=%20a+b&x=%25%32%35`, components: everything },
  },
  {
    name: 'an agent in a dictionary',
    verdict: VERIFIED,
    signing: {
      agent: 'g="https://agent.example";type=directory',
      components: ['@authority', 'signature-agent;key=g'],
    },
  },
  {
    name: 'a changed path',
    verdict: 'null signature_invalid',
    signing: { components: everything },
    sent: { path: '/other' },
  },
  {
    name: 'a changed query',
    verdict: 'null signature_invalid',
    signing: { components: everything },
    sent: { path: '/path?q=2' },
  },
  {
    name: 'a changed method',
    verdict: 'null signature_invalid',
    signing: { components: everything },
    sent: { method: 'HEAD' },
  },
  {
    name: 'a changed signature',
    verdict: 'null signature_invalid',
    tamper: (headers) => ({
      ...headers,
      signature: (headers['signature'] ?? '').replace(/:(.)/, (_, one) => (one === 'A' ? ':B' : ':A')),
    }),
  },
  {
    name: 'a changed input',
    verdict: 'null signature_invalid',
    tamper: (headers) => ({
      ...headers,
      'signature-input': (headers['signature-input'] ?? '').replace(
        /expires=(\d+)/,
        (_, at) => `expires=${Number(at) + 1}`,
      ),
    }),
  },
  {
    name: 'a changed agent',
    verdict: 'null signature_agent_unknown',
    tamper: (headers) => ({ ...headers, 'signature-agent': '"https://evil.example"' }),
  },
  {
    name: 'an agent that is not listed',
    verdict: 'null signature_agent_unknown',
    by: 'stranger',
    signing: { agent: '"https://evil.example"' },
  },
  { name: 'the key of another', verdict: 'null signature_key_unknown', by: 'stranger' },
  { name: 'an expired signature', verdict: 'null signature_expired', signing: { parameters: hourAgo(now) } },
  {
    name: 'an expired signature of a browser',
    verdict: 'not kept',
    userAgent: BROWSER,
    signing: { parameters: hourAgo(now) },
  },
  {
    name: 'a request for another host',
    verdict: 'null signature_other_host',
    signing: { url: 'https://evil.example/page' },
  },
  {
    name: 'a signature for another host',
    verdict: 'null signature_invalid',
    signing: { url: 'https://evil.example/page' },
    sent: { host: HOST },
  },
  {
    name: 'a header that the log lacks',
    verdict: 'null signature_incomplete',
    signing: { headers: { 'x-odd': 'a' }, components: ['@authority', 'x-odd', 'signature-agent'] },
  },
];

/** @param server started with a certificate */
export async function recordSigned(server: WebServer): Promise<SignedRecording> {
  const now = Date.now();
  const [signer, stranger] = [await createSigner(now), await createSigner(now)];
  const read = readersOf(server.logs);
  await settled(read);
  const requests: SignedLine[] = [];
  for (const { name, verdict, signing = {}, by, userAgent = `${BOT}/1.0`, sent = {}, tamper } of cases(now)) {
    const signed = await (by === 'stranger' ? stranger : signer).sign({
      url: `https://${HOST}/page?q=1`,
      ...signing,
    });
    const url = new URL(signed.url);
    const headers = { ...signed.headers, 'user-agent': userAgent, host: sent.host ?? url.host };
    await send(server.tlsPort, {
      method: sent.method ?? signed.method,
      path: sent.path ?? url.pathname + url.search,
      headers: tamper === undefined ? headers : tamper(headers),
    });
    requests.push({ name, verdict, lines: await settled(read) });
  }
  const agent: SignatureAgent = {
    engine: 'bytedance',
    bot_name: BOT,
    intent: 'training',
    url: AGENT_URL,
    keys: [signer.key],
  };
  return { at: now, agent, requests };
}

function send(
  port: number,
  asked: { method: string; path: string; headers: Record<string, string> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(
      // Its certificate is its own.
      { ...asked, host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.resume().on('end', resolve);
      },
    );
    sending.on('error', reject).end();
  });
}
