/** A mail server for tests: enough of SMTP to take messages, on a free port of this machine. */
import { createServer, type Socket } from 'node:net';

export interface TestMail {
  readonly from: string;
  readonly to: string;
  /** Headers and text as received, soft line breaks of quoted-printable undone. */
  readonly text: string;
}

export interface TestSmtp {
  readonly url: string;
  readonly mails: readonly TestMail[];
  /** What the next recipients are answered; null: taken. */
  refuse(answer: string | null): void;
  /** The n-th mail (from 0), once it is there. */
  mail(index: number): Promise<TestMail>;
  close(): Promise<void>;
}

export async function startTestSmtp(): Promise<TestSmtp> {
  const mails: TestMail[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let refusal: string | null = null;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let buffer = '';
    let from = '';
    let to = '';
    let data: string[] | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string): unknown => {
      if (data !== null) {
        if (line !== '.') return data.push(line.replace(/^\.\./, '.'));
        mails.push({ from, to, text: readable(data.join('\n')) });
        data = null;
        for (const wake of waiting.splice(0)) wake();
        return say('250 taken');
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      if (verb === 'EHLO' || verb === 'HELO') return say('250 test');
      if (verb === 'MAIL') {
        from = address(line);
        return say('250 ok');
      }
      if (verb === 'RCPT') {
        to = address(line);
        return say(refusal ?? '250 ok');
      }
      if (verb === 'DATA') {
        data = [];
        return say('354 go on');
      }
      if (verb === 'QUIT') {
        say('221 bye');
        return socket.end();
      }
      return say('250 ok');
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      buffer += text;
      const lines = buffer.split('\r\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    say('220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('The system gave no port.');

  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    mails,
    refuse(answer) {
      refusal = answer;
    },
    async mail(index) {
      for (;;) {
        const found = mails[index];
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function address(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

function readable(text: string): string {
  return text.replaceAll('=\n', '').replaceAll('=3D', '=');
}
