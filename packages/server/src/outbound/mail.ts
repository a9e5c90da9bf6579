/** Mail to people: text, and HTML where a mail has it, over SMTP, one connection per message, bounded in time and in number. */
import { createTransport } from 'nodemailer';

/** From the connection to the server's last word, each step of it. */
const STEP_TIMEOUT_MS = 10_000;
/** Maximum number of concurrent messages; further ones fail with "not sent". */
const MAX_UNDER_WAY = 20;

export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for clients that draw it. */
  readonly html?: string;
  /** Beside those of every mail. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What went wrong, without addresses: `busy`, the transport's own code (`EAUTH`, `ETIMEDOUT`, `EDNS` …), or one that says more than that:
 * `ECONNREFUSED`, `ECERT` (the certificate), `ETLS`, `ESENDER`, `ERECIPIENT`.
 */
export class MailError extends Error {
  readonly word: string;
  constructor(word: string, options: { cause?: unknown } = {}) {
    super(`The mail could not be sent: ${word}`, options);
    this.name = 'MailError';
    this.word = word;
  }
}

export interface Mailer {
  /** Done when the server has taken it. @throws MailError */
  send(mail: Mail): Promise<void>;
}

/** The transport calls a refused connection and a bad certificate by one code; its message tells them apart. */
function wordOf(error: unknown): string {
  const { code = 'failed', message = '', command = '' } = error as Readonly<Record<string, unknown>>;
  const text = String(message);
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'ESENDER' : 'ERECIPIENT';
  if (code === 'ENOAUTH') return 'EAUTH';
  const hint = HINTS.find(([form]) => form.test(text));
  return hint !== undefined && OF_CONNECTIONS.has(String(code)) ? hint[1] : String(code);
}
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['ESOCKET', 'ECONNECTION', 'ETLS']);
const HINTS = [
  [/ECONNREFUSED/, 'ECONNREFUSED'],
  [/certificate|altnames|CERT_/i, 'ECERT'],
  [/\bSSL\b|\bTLS\b|wrong version number/i, 'ETLS'],
] as const;

export interface MailerOptions {
  /** `smtp://name:password@host:587` or `smtps://…`: STARTTLS is used where the server offers it, `smtps` is TLS from the first byte. */
  readonly url: string;
  /** `Ghostlight <ghostlight@shop.example>` */
  readonly from: string;
  /** Of each step, milliseconds; shorter in tests. */
  readonly stepTimeoutMs?: number;
}

export function createMailer({ url, from, stepTimeoutMs = STEP_TIMEOUT_MS }: MailerOptions): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: stepTimeoutMs,
      greetingTimeout: stepTimeoutMs,
      socketTimeout: stepTimeoutMs,
      dnsTimeout: stepTimeoutMs,
      // What a message holds is what this file puts there: no file, no address that is fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
      logger: false,
    },
    { from },
  );
  let underWay = 0;

  return {
    async send({ to, subject, text, html, headers }) {
      if (underWay >= MAX_UNDER_WAY) throw new MailError('busy');
      underWay += 1;
      try {
        // As an object: a text would be parsed, and a comma in it would be a second recipient.
        await transport.sendMail({
          ...{ to: { name: '', address: to }, subject, text },
          ...(html === undefined ? {} : { html }),
          ...(headers === undefined ? {} : { headers: { ...headers } }),
        });
      } catch (error) {
        // Its message repeats the server's answer, which commonly names the recipient.
        throw new MailError(wordOf(error));
      } finally {
        underWay -= 1;
      }
    },
  };
}
