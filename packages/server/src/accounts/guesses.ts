/**
 * Guessing is slowed, and nothing else is. A token is looked up first and counted only when it was wrong: wrong tokens cost a valid
 * one from the same address nothing. A password costs 0.1 s to check, so guesses are counted before the check and taken back when it was good:
 * per address over all accounts, per account over all addresses, per browser for those that have signed in before. In memory, on each node.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, createThrottle, ServiceError, type Throttle } from '../common/index.ts';

/**
 * For browsers that have not signed in yet. Twice as many as for one account: offices share addresses, and who guesses at one person's
 * password from there keeps no other person out.
 */
const PER_ADDRESS = { burst: 40, drainMs: 5_000 };
const RETURNS = { burst: 20, drainMs: 10_000 };
/** An attacker who knows an email address can keep its owner from signing in with a new browser, for as long as they keep guessing. */
const PER_ACCOUNT = { burst: 20, drainMs: 10_000 };
/** A browser that signed in before, whatever attackers do meanwhile: ten at once, then two a minute. */
const PER_BROWSER = { burst: 10, drainMs: 30_000 };
/** Two guesses a minute at three codes of a million: half a chance after four months. */
const PER_PERSON = { burst: 5, drainMs: 30_000 };
/** Mails that an unauthenticated client can make us send: to one address, and from one. */
const MAILS_TO = { burst: 3, drainMs: 20 * MINUTE_MS };
const MAILS_FROM = { burst: 10, drainMs: MINUTE_MS };

export interface Attempt {
  /** It was no guess. */
  forgive(): void;
}

export interface Guesses {
  /** Counts a token or link that opened nothing. @throws ServiceError `rate_limited` when there were too many, as the others */
  wrongToken(ip: string): void;
  /** @param browser the bucket of a browser in which this person has signed in before; null: an unknown one */
  password(ip: string, email: string, browser: string | null): Attempt;
  code(personId: string): Attempt;
  /** A browser that comes back from the company's provider: each makes us ask it. */
  providerReturn(ip: string): void;
  /** Whether another mail may be sent. */
  mail(ip: string, email: string): boolean;
}

export function createGuesses(clock: Clock): Guesses {
  const tokens = createThrottle(clock);
  const addresses = createThrottle(clock, PER_ADDRESS);
  const accounts = createThrottle(clock, PER_ACCOUNT);
  const browsers = createThrottle(clock, PER_BROWSER);
  const returns = createThrottle(clock, RETURNS);
  const codes = createThrottle(clock, PER_PERSON);
  const mailsTo = createThrottle(clock, MAILS_TO);
  const mailsFrom = createThrottle(clock, MAILS_FROM);

  return {
    wrongToken(ip) {
      attempt([[tokens, ip]], 'Too many wrong tokens from this address');
    },
    password: (ip, email, browser) =>
      attempt(
        browser !== null && browsers.wait(browser) === 0
          ? [[browsers, browser]]
          : [
              [addresses, ip],
              [accounts, email],
            ],
        'Too many wrong passwords',
      ),
    providerReturn(ip) {
      attempt([[returns, ip]], 'Too many sign-ins from this address');
    },
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
