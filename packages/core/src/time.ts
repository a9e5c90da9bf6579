/**
 * Lengths of time in milliseconds, as `Date` counts. A day of a time zone may be shorter or longer. `@ghostlight/core/time` has these alone,
 * so that a thread that needs a minute does not load the list of bots. The collector writes its few lengths out: its bundle is held to 30 kB.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
