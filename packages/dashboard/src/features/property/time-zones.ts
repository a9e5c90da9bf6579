/** Time zones to choose from: the names that this browser knows. The service knows former names too, and takes no offsets. */

export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

/** The reader's own, where it has a name that says which; else UTC. */
export function ownTimeZone(): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^[A-Za-z][\w+-]*\//.test(own) && !own.startsWith('Etc/') ? own : 'UTC';
}
