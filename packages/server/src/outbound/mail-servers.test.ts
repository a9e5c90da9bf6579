/** Mail servers as there are: with a password, with TLS from the first byte or later, with a certificate that is not good, and silent ones. */
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { createMailer, MailError } from './index.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const taken: string[] = [];
async function start(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === 'ada@shop' && password === 'p@ss/word'
        ? done(null, { user: username })
        : done(new Error('Invalid credentials')),
    onMailFrom: ({ address }, _, done) =>
      address.endsWith('@shop.example') ? done() : done(new Error('Sender not allowed')),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody') ? done(new Error('No such user')) : done(),
    onData(stream, _, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        taken.push(text);
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.server.address() as { port: number }).port;
}

const mail = { to: 'grace@shop.example', subject: 'Hello', text: 'A test.\n' };
async function sent(url: string, more: { from?: string; to?: string } = {}): Promise<string> {
  const from = more.from ?? 'Ghostlight <ghost@shop.example>';
  try {
    await createMailer({ url, from, stepTimeoutMs: 1_000 }).send({ ...mail, to: more.to ?? mail.to });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.word;
  }
}
const ACCOUNT = 'ada%40shop:p%40ss%2Fword';
/** The certificate of the test's server is signed by itself. An operator who wants it anyway says so in the address. */
const UNCHECKED = 'tls.rejectUnauthorized=false';

it('takes a mail with a password whose signs are encoded, without TLS, with it later and from the first byte', async () => {
  const plain = await start({ hideSTARTTLS: true, allowInsecureAuth: true });
  expect(await sent(`smtp://${ACCOUNT}@127.0.0.1:${plain}`)).toBe('sent');
  const later = await start();
  expect(await sent(`smtp://${ACCOUNT}@127.0.0.1:${later}?${UNCHECKED}`)).toBe('sent');
  const first = await start({ secure: true });
  expect(await sent(`smtps://${ACCOUNT}@127.0.0.1:${first}?${UNCHECKED}`)).toBe('sent');
  expect(taken).toHaveLength(3);
  expect(taken[2]).toContain('A test.');
});

it('says what is wrong with the account, the certificate, the form of TLS, the sender and the recipient', async () => {
  const plain = await start({ hideSTARTTLS: true, allowInsecureAuth: true });
  expect(await sent(`smtp://ada%40shop:wrong@127.0.0.1:${plain}`)).toBe('EAUTH');
  const address = `smtp://${ACCOUNT}@127.0.0.1:${plain}`;
  expect(await sent(address, { from: 'ghost@elsewhere.example' })).toBe('ESENDER');
  expect(await sent(address, { to: 'nobody@shop.example' })).toBe('ERECIPIENT');
  expect(await sent(`smtps://${ACCOUNT}@127.0.0.1:${plain}`)).toBe('ETLS');
  const later = await start();
  expect(await sent(`smtp://${ACCOUNT}@127.0.0.1:${later}`)).toBe('ECERT');
  const first = await start({ secure: true });
  expect(await sent(`smtps://${ACCOUNT}@127.0.0.1:${first}`)).toBe('ECERT');
});

it('says that nothing listens, that a server is silent, and that a host does not exist', async () => {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  expect(await sent(`smtp://127.0.0.1:${port}`)).toBe('ETIMEDOUT');
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
  expect(await sent(`smtp://127.0.0.1:${port}`)).toBe('ECONNREFUSED');
  expect(await sent('smtp://mail.shop.invalid:587')).toBe('EDNS');
});
