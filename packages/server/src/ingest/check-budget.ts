/**
 * How many signatures an organization may have checked: so many at once, and then so many a second. What is left is in memory that threads
 * share, so that an upload that a worker reads and one that is read here take from the same account.
 */
import type { Clock } from '../common/index.ts';

/** A check takes about 0.2 ms of a processor. */
const BOUNDS: CheckBounds = { burst: 10_000, perSecond: 200 };
const MAX_ORGANIZATIONS = 1_000;

export interface CheckBounds {
  readonly burst: number;
  readonly perSecond: number;
}

/** What an organization has left, in shared memory. */
export type CheckAccount = Int32Array<SharedArrayBuffer>;

export interface CheckBudget {
  /** Whether one more check may be made. */
  take(organizationId: string): boolean;
}

export interface CheckAccounts extends CheckBudget {
  /** For a thread that takes from it while it reads. What time has added since the last call is added. */
  of(organizationId: string): CheckAccount;
}

export function createCheckAccounts(clock: Clock, { burst, perSecond } = BOUNDS): CheckAccounts {
  const accounts = new Map<string, { left: CheckAccount; at: number }>();
  const opened = () => ({ left: new Int32Array(new SharedArrayBuffer(4)).fill(burst), at: clock() });

  const of = (organizationId: string): CheckAccount => {
    const account = accounts.get(organizationId) ?? opened();
    const more = Math.max(0, Math.floor(((clock() - account.at) / 1_000) * perSecond));
    const room = burst - Atomics.load(account.left, 0);
    Atomics.add(account.left, 0, Math.min(more, room));
    account.at = more >= room ? clock() : account.at + (more * 1_000) / perSecond;
    accounts.delete(organizationId);
    const [longestUnused] = accounts.keys();
    if (accounts.size >= MAX_ORGANIZATIONS && longestUnused !== undefined) accounts.delete(longestUnused);
    accounts.set(organizationId, account);
    return account.left;
  };
  return { of, take: (organizationId) => takeOne(of(organizationId)) };
}

export function takeOne(account: CheckAccount): boolean {
  return Atomics.load(account, 0) > 0 && Atomics.sub(account, 0, 1) > 0;
}
