import { IconWarning } from '../../parts/icons.tsx';

/** Why a sign-in at the company's provider ended here, and what to do next. The service gives the word. */
const REASONS: Readonly<Record<string, (name: string) => string>> = {
  expired: () => 'This sign-in took too long, or began in another browser. Start again.',
  refused: (name) => `${name} did not let you in, or you cancelled. Try again, or ask who manages ${name}.`,
  unreachable: (name) =>
    `${name} does not answer. Try again in a minute; if it stays so, the operator can find the cause in the service’s log.`,
  invalid: (name) =>
    `The answer of ${name} could not be verified, so you were not signed in. Start again; if it stays so, the operator can find the cause in the service’s log.`,
  rate_limited: () => 'Too many sign-ins came from your address. Wait a minute, then try again.',
  no_email: (name) =>
    `${name} did not provide your email address. Its administrator can allow the scope “email”.`,
  unverified_email: (name) =>
    `${name} did not confirm that your email address is yours. Confirm it there, then try again, or ask the operator of this service.`,
  wrong_domain: () =>
    'Your email address is of a domain that may not sign in here. Use your company’s account, or ask the operator of this service.',
  not_linked: (name) =>
    `There is an account with your email address, which ${name} may not open yet. Sign in with your password, or ask the operator to add your domain to OIDC_ALLOWED_DOMAINS.`,
  other_identity: (name) =>
    `The account with your email address belongs to another identity of ${name}. Ask an owner to invite you with another address.`,
  second_factor: (name) =>
    `Your account here has two-factor authentication, so ${name} can’t open it by your email address. Sign in with your password, turn it off under Your account, and continue with ${name} once.`,
  too_many_groups: (name) =>
    `You are in more groups than ${name} sends. Its administrator can limit the groups that this application gets.`,
  failed: () =>
    'Something went wrong here, and you were not signed in. Try again; if it stays so, the operator can find the cause in the service’s log.',
  no_access: (name) =>
    `You signed in at ${name}, but none of your groups has access here. Ask an owner to invite you, or to add you to a group.`,
};

/** The person may have another account there: the provider asks for one again. */
const OF_THE_ACCOUNT: readonly string[] = [
  ...['no_access', 'wrong_domain', 'no_email', 'unverified_email'],
  ...['not_linked', 'other_identity', 'second_factor', 'too_many_groups'],
];

export function ProviderNotice({ reason, name }: { reason: string; name: string }) {
  const sentence = REASONS[reason];
  if (sentence === undefined) return null;
  return (
    <div className="notice notice-bad" role="alert">
      <IconWarning />
      <p>{sentence(name)}</p>
    </div>
  );
}

interface ProviderButtonProps {
  name: string;
  /** The path to open afterwards. */
  next?: string | undefined;
  /** Whether it is the first thing to do on its page. */
  isPrimary?: boolean;
  /** Why the sign-in before this one failed. */
  reason?: string | undefined;
}

/** Leaves the dashboard for the company's provider, and comes back with a session. */
export function ProviderButton({ name, next, isPrimary = false, reason }: ProviderButtonProps) {
  const query = new URLSearchParams({
    ...(next === undefined ? {} : { next }),
    ...(reason !== undefined && OF_THE_ACCOUNT.includes(reason) ? { again: '1' } : {}),
  });
  return (
    <a
      className={isPrimary ? 'button button-primary button-wide' : 'button button-wide'}
      href={`/api/v1/oidc/start?${query}`}
    >
      Continue with {name}
    </a>
  );
}
