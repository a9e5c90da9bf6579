import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSigningKey, importSigningKey, signManifest } from '@ghostlight/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verificationLines, verify } from './manifest-verify.ts';

const DAY = 86_400_000;
const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

describe('the verification at a terminal', () => {
  let server: Server;
  let address: string;
  let answers: Map<string, string>;
  let hosts: Map<string, string>;
  beforeEach(async () => {
    server = createServer((request, response) => {
      const answer = answers.get(request.url ?? '');
      response.writeHead(answer === undefined ? 404 : 200).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    hosts = new Map(['shop.example', 'app.example'].map((host) => [host, address]));
    const { privateJwk, publicJwk, kid } = await generateSigningKey();
    const manifest = await signManifest(
      {
        version: '1.0',
        attribution_id: '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01',
        hosts: ['shop.example'],
        issued_at: time(Date.now() - 60_000),
        expires_at: time(Date.now() + DAY),
        tools: [
          {
            name: 'search',
            description: 'Finds \u001b[31mproducts.',
            inputSchema: { type: 'object' },
            page: 'https://shop.example/search',
            endpoint: 'https://mcp.example/',
          },
        ],
      },
      { privateKey: await importSigningKey(privateJwk), kid, jku: 'https://app.example/jwks.json' },
    );
    answers = new Map([
      ['/.well-known/webmcp.json', manifest],
      ['/jwks.json', JSON.stringify({ keys: [publicJwk] })],
    ]);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = (more: object = {}) =>
    verify({ target: 'shop.example', trust: [], trustDns: false, hosts, ...more });

  it('says which tools there are, where they are called and who vouches', async () => {
    const lines = verificationLines(await ask({ trust: ['https://app.example'] })).join('\n');
    expect(lines).toContain('https://app.example vouches for 1 tool on shop.example');
    expect(lines).toContain(
      'search  in the page https://shop.example/search, at the MCP server https://mcp.example/',
    );
    expect(lines).not.toContain('\u001b');
  });

  it('takes the zone’s word in DNS when it is asked to', async () => {
    const asked: string[] = [];
    const resolveTxt = async (name: string) => {
      asked.push(name);
      return [['v=webmcp1; issuer=https://', 'app.example'], ['something else']];
    };
    const { result, trusted } = await ask({ trustDns: true, resolveTxt });
    expect(result).toMatchObject({ ok: true, issuer: 'https://app.example' });
    expect(trusted).toEqual(['https://app.example']);
    expect(asked).toEqual(['_webmcp.shop.example']);
    const resolveNothing = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    await expect(ask({ trustDns: true, resolveTxt: resolveNothing })).rejects.toThrow(
      /_webmcp\.shop\.example.*ENOTFOUND/,
    );
  });

  it('without any trust tells the claim, and where trust can come from', async () => {
    const verification = await ask();
    expect(verification.result).toMatchObject({ ok: false, error: 'untrusted_issuer' });
    const lines = verificationLines(verification).join('\n');
    for (const part of [
      'https://app.example/jwks.json',
      '--trust https://app.example',
      '_webmcp.shop.example',
      'v=webmcp1',
    ])
      expect(lines).toContain(part);
  });

  it('explains a refusal', async () => {
    const trust = ['https://app.example'];
    answers.set('/jwks.json', '{"keys":[]}');
    expect(verificationLines(await ask({ trust })).join()).toMatch(/Refused \(unknown_key\): .*rotated away/);
    answers.delete('/jwks.json');
    expect(verificationLines(await ask({ trust })).join()).toMatch(
      /Refused \(keys_unavailable\): .*HTTP 404/,
    );
    answers.delete('/.well-known/webmcp.json');
    await expect(ask({ trust })).rejects.toThrow('HTTP 404');
    await expect(ask({ trust: ['http://app.example'] })).rejects.toThrow('--trust takes an https origin');
    await expect(ask({ target: 'http://shop.example/' })).rejects.toThrow('only https');
  });
});
