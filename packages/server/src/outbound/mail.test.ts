import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../tests/harness/free-port.ts';
import { createMailer, MailError } from './index.ts';
import { startTestSmtp, type TestSmtp } from './testing-smtp.ts';

let smtp: TestSmtp;
beforeEach(async () => {
  smtp = await startTestSmtp();
});
afterEach(() => smtp.close());

const FROM = 'Ghostlight <ghost@shop.example>';
const mail = { to: 'ada@shop.example', subject: 'Grüße', text: 'https://app.example/welcome#token=a=b\n' };

describe('mail', () => {
  it('is handed to the server as it was written', async () => {
    await createMailer({ url: smtp.url, from: FROM }).send(mail);
    const [{ from, to, text } = { from: '', to: '', text: '' }] = smtp.mails;
    expect([from, to]).toEqual(['ghost@shop.example', 'ada@shop.example']);
    expect(text).toContain('From: Ghostlight <ghost@shop.example>');
    expect(text).toContain('https://app.example/welcome#token=a=b');
  });

  it('goes to one address, whatever it contains', async () => {
    const mailer = createMailer({ url: smtp.url, from: FROM });
    for (const to of [
      'ada@shop.example, eve@evil.example',
      'ada@shop.example\r\nRCPT TO:<eve@evil.example>',
    ]) {
      await mailer.send({ ...mail, to }).catch(() => undefined);
    }
    await mailer.send({ ...mail, subject: 'x\r\nBcc: eve@evil.example' });
    expect(smtp.mails.filter(({ to }) => to === 'eve@evil.example')).toEqual([]);
    expect(smtp.mails.some(({ text }) => /^Bcc:/im.test(text))).toBe(false);
  });

  it('fails with a code that names no person', async () => {
    smtp.refuse('550 no such user ada@shop.example');
    const failure: unknown = await createMailer({ url: smtp.url, from: FROM })
      .send(mail)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MailError);
    expect(JSON.stringify([failure, String(failure), (failure as Error).cause])).not.toContain('ada@');
    await expect(
      createMailer({ url: `smtp://127.0.0.1:${await freePort()}`, from: FROM }).send(mail),
    ).rejects.toMatchObject({
      word: 'ECONNREFUSED',
    });
  });

  it('is refused rather than queued without end', async () => {
    const mailer = createMailer({ url: smtp.url, from: FROM });
    const sent = await Promise.allSettled(Array.from({ length: 30 }, () => mailer.send(mail)));
    const refused = sent.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(smtp.mails).toHaveLength(20);
  });
});
