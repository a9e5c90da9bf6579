/** Mail to people: plain text over SMTP, one connection per message, bounded in time and in number. */
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
}

/** What went wrong, without addresses: `busy`, or the transport's own code (`ECONNECTION`, `EAUTH`, …). */
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

export interface MailerOptions {
  /** `smtp://name:password@host:587` or `smtps://…`: STARTTLS is used where the server offers it, `smtps` is TLS from the first byte. */
  readonly url: string;
  /** `Ghostlight <ghostlight@shop.example>` */
  readonly from: string;
}

export function createMailer({ url, from }: MailerOptions): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      // What a message holds is what this file puts there: no file, no address that is fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
      logger: false,
    },
    { from },
  );
  let underWay = 0;

  return {
    async send({ to, subject, text }) {
      if (underWay >= MAX_UNDER_WAY) throw new MailError('busy');
      underWay += 1;
      try {
        // As an object: a text would be parsed, and a comma in it would be a second recipient.
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (error) {
        // Its message repeats the server's answer, which commonly names the recipient.
        throw new MailError(String((error as { code?: unknown }).code ?? 'failed'));
      } finally {
        underWay -= 1;
      }
    },
  };
}
