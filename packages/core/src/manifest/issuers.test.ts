import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerOrigin, issuerRecord, issuerRecordName, issuersOfTxt } from './issuers.ts';

describe('issuerOrigin', () => {
  it('takes https, and http on this machine alone', () => {
    expect(issuerOrigin('https://App.Example/x?y')).toBe('https://app.example');
    expect(issuerOrigin('https://app.example:8443')).toBe('https://app.example:8443');
    expect(issuerOrigin('http://localhost:8080/jwks.json')).toBe('http://localhost:8080');
    expect(issuerOrigin('http://app.localhost')).toBe('http://app.localhost');
    expect(issuerOrigin('http://127.0.0.1:9')).toBe('http://127.0.0.1:9');
    expect(issuerOrigin('http://[::1]:9')).toBe('http://[::1]:9');
  });

  it.each([
    'http://app.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://notlocalhost',
    'https://app.example@evil.example:x',
    'https://user@app.example',
    'https://:pw@app.example',
    'ftp://app.example',
    'data:application/json,{}',
    'app.example',
    '',
  ])('refuses %s', (address) => {
    expect(issuerOrigin(address)).toBe(null);
  });
});

describe('issuersOfTxt', () => {
  it('reads what issuerRecord writes', () => {
    expect(issuerRecordName('shop.example')).toBe('_webmcp.shop.example');
    expect(issuerRecord('https://app.example/')).toBe('v=webmcp1; issuer=https://app.example');
    fc.assert(
      fc.property(fc.webAuthority(), (authority) => {
        const origin = issuerOrigin(`https://${authority}`);
        fc.pre(origin !== null);
        expect(issuersOfTxt([issuerRecord(`https://${authority}`)])).toEqual([origin]);
      }),
    );
    expect(() => issuerRecord('http://app.example')).toThrow(TypeError);
  });

  it('takes several records, each issuer once, in the forms that DNS tools print', () => {
    expect(
      issuersOfTxt([
        'v=webmcp1; issuer=https://a.example',
        '"v=webmcp1; issuer=https://b.example"',
        '"v=webmcp1; iss" "uer=https://c.example"',
        ' v=webmcp1;issuer = https://d.example/ ; note=x; ',
        'v=webmcp1; issuer=https://A.example:443',
      ]),
    ).toEqual(['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example']);
  });

  it.each([
    'v=spf1 include:_spf.example ~all',
    'issuer=https://a.example',
    'issuer=https://a.example; v=webmcp1',
    'v=webmcp2; issuer=https://a.example',
    'v=webmcp1 issuer=https://a.example',
    'v=webmcp1; issuer=http://a.example',
    'v=webmcp1; issuer=https://a.example/tenant',
    'v=webmcp1; issuer=https://u@a.example',
    'v=webmcp1; issuer=https://a.example https://b.example',
    'v=webmcp1; issuer=',
    `v=webmcp1; issuer=https://a.example; note=${'x'.repeat(2_000)}`,
    '',
  ])('trusts no issuer for %s', (record) => {
    expect(issuersOfTxt([record])).toEqual([]);
  });

  it('looks at twenty records and no more', () => {
    expect(issuersOfTxt([...Array<string>(20).fill('x'), issuerRecord('https://a.example')])).toEqual([]);
  });
});
