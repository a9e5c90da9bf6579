/** A draft is kept right or wrong, and any client may have written it: here it becomes what the editor can hold. */
import { isObject } from '@ghostlight/core';
import { type Declaration, HINTS, type Tool } from '../types.ts';

/** Members of another type than theirs are emptied or left out; members that the editor doesn't know stay. */
export function readDeclaration({
  hosts,
  tools,
}: {
  hosts: readonly unknown[];
  tools: readonly unknown[];
}): Declaration {
  return {
    hosts: [...new Set(hosts.filter((host) => typeof host === 'string'))],
    tools: tools.filter(isObject).map((tool): Tool => {
      const { name, title, description, inputSchema, annotations, page, endpoint, ...rest } = tool;
      return {
        ...rest,
        name: text(name) ?? '',
        ...optional('title', text(title)),
        description: text(description) ?? '',
        inputSchema: inputSchema ?? { type: 'object', properties: {}, additionalProperties: false },
        ...optional('annotations', hints(annotations)),
        ...optional('page', text(page)),
        ...optional('endpoint', text(endpoint)),
      };
    }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function hints(annotations: unknown): Tool['annotations'] | undefined {
  if (!isObject(annotations)) return undefined;
  const pairs = Object.entries(annotations).filter(
    ([name, value]) => !HINTS.some((hint) => hint === name) || typeof value === 'boolean',
  );
  return Object.fromEntries(pairs);
}

function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: V });
}
