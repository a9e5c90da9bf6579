import { expect, it } from 'vitest';
import { bodyText, requestText } from './Exchange.tsx';

it('indents JSON, and leaves other or cut text as received', () => {
  expect(bodyText('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(bodyText('{"a":1,"b…')).toBe('{"a":1,"b…');
});

it('shows a request as line, headers and body', () => {
  const request = {
    method: 'POST',
    url: 'https://x.example/e',
    headers: { authorization: 'Bearer •••' },
    body: '{}',
  };
  expect(requestText(request)).toBe('POST https://x.example/e\nauthorization: Bearer •••\n\n{}');
  expect(requestText({ ...request, body: null })).toBe('POST https://x.example/e\nauthorization: Bearer •••');
});
