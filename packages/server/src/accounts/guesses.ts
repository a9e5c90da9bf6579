/**
 * Guessing is slowed three ways: per address over all accounts, per account over all addresses, and per person for codes. Each is counted
 * before the look-up and taken back when it was none, so that a thousand guesses at once are a thousand. In memory, on each node.
 */
import { type Clock, createThrottle, ServiceError, type Throttle } from '../kit/index.ts';

/** Generous, for offices share addresses: twenty at once, then six a minute. */
const PER_ADDRESS = { burst: 20, drainMs: 10_000 };
/** A stranger who knows an e-mail address can't keep its owner out for longer than they keep guessing. */
const PER_ACCOUNT = { burst: 20, drainMs: 10_000 };
/** Two guesses a minute at three codes of a million: half a chance after four months. */
const PER_PERSON = { burst: 5, drainMs: 30_000 };
/** Mails that a stranger can make us send: to one address, and from one. */
const MAILS_TO = { burst: 3, drainMs: 20 * 60_000 };
const MAILS_FROM = { burst: 10, drainMs: 60_000 };

export interface Attempt {
  /** It was no guess. */
  forgive(): void;
}

export interface Guesses {
  /** @throws ServiceError `rate_limited`, as the others */
  token(ip: string): Attempt;
  password(ip: string, email: string): Attempt;
  code(personId: string): Attempt;
  /** Whether another mail may be sent. */
  mail(ip: string, email: string): boolean;
}

export function createGuesses(clock: Clock): Guesses {
  const tokens = createThrottle(clock);
  const addresses = createThrottle(clock, PER_ADDRESS);
  const accounts = createThrottle(clock, PER_ACCOUNT);
  const codes = createThrottle(clock, PER_PERSON);
  const mailsTo = createThrottle(clock, MAILS_TO);
  const mailsFrom = createThrottle(clock, MAILS_FROM);

  return {
    token: (ip) => attempt([[tokens, ip]], 'Too many wrong tokens from this address'),
    password: (ip, email) =>
      attempt(
        [
          [addresses, ip],
          [accounts, email],
        ],
        'Too many wrong passwords',
      ),
    code: (personId) => attempt([[codes, personId]], 'Too many wrong codes'),
    mail(ip, email) {
      if (mailsTo.wait(email) > 0 || mailsFrom.wait(ip) > 0) return false;
      mailsTo.fail(email);
      mailsFrom.fail(ip);
      return true;
    },
  };
}

function attempt(counts: readonly (readonly [Throttle, string])[], sentence: string): Attempt {
  const wait = Math.max(...counts.map(([throttle, key]) => throttle.wait(key)));
  if (wait > 0) {
    const seconds = Math.ceil(wait / 1_000);
    throw new ServiceError('rate_limited', `${sentence}; try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
  for (const [throttle, key] of counts) throttle.fail(key);
  return {
    forgive() {
      for (const [throttle, key] of counts) throttle.forgive(key);
    },
  };
}
