/** Words for who did something. @param name what the service calls a person or token; null: it knows no name (any more) */
export function actorName(actor: string, name: string | null): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'root') return id === '' ? 'Admin token' : `Admin token (session ${id})`;
  if (kind === 'person') return name ?? 'Somebody who left';
  if (kind === 'token') return name === null ? 'An API token' : `${name} (API token)`;
  return name ?? actor;
}
