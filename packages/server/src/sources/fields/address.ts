/** The property that the address of a request names: `attribution_id=<uuid>`, or `tags=attribution_id=<uuid>`. */

/**
 * @returns lower-case text, not checked for being an id; null when none is named
 */
export function addressedAttributionId(parameters: URLSearchParams): string | null {
  let named: string | null = null;
  let tagged: string | null = null;
  for (const [name, value] of parameters) {
    const lower = name.toLowerCase();
    if (lower === 'attribution_id') named ??= idOf(value);
    else if (lower === 'tags') tagged ??= taggedId(value);
  }
  return named ?? tagged;
}

function taggedId(tags: string): string | null {
  for (const tag of tags.split(',')) {
    const [name = '', value = ''] = tag.split('=', 2);
    if (name.trim().toLowerCase() === 'attribution_id') return idOf(value);
  }
  return null;
}

function idOf(value: string): string | null {
  const id = value.trim().toLowerCase();
  return id === '' ? null : id.slice(0, 64);
}
