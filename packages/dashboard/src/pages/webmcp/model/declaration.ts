/** Reads a draft, which may be invalid or written by another client, into the form of the editor. */
import { isObject } from '@ghostlight/core';
import { type Declaration, HINTS, type Tool } from '../types.ts';

/** Members of a wrong type are emptied or left out; unknown members are kept. */
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
