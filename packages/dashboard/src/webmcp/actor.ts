/** Who did something, in words: the admin token is nobody's name. */
export function actorName(actor: string): string {
  if (actor === 'root') return 'admin token';
  return actor.startsWith('root:') ? `admin token ${actor.slice('root:'.length)}` : actor;
}
