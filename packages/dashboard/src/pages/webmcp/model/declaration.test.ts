import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDeclaration } from './declaration.ts';
import { declarationOf, EMPTY_EDITOR, edit } from './editor.ts';

const anything = fc.array(
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(
      fc.constantFrom('name', 'title', 'description', 'inputSchema', 'annotations', 'page', 'endpoint', 'x'),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  ),
);

/** Read, into the editor, and out of it. */
const throughEditor = (content: { hosts: readonly unknown[]; tools: readonly unknown[] }) =>
  declarationOf(edit(EMPTY_EDITOR, { type: 'load', declaration: readDeclaration(content), edited: false }));

it('loads any draft, and does not change it when it is opened again', () => {
  fc.assert(
    fc.property(anything, anything, (hosts, tools) => {
      const once = throughEditor({ hosts, tools });
      expect(throughEditor(once)).toEqual(once);
    }),
  );
});

it('keeps unknown members, and drops those of a wrong type', () => {
  const tool = {
    name: 7,
    title: 'T',
    outputSchema: {},
    annotations: { readOnlyHint: 'yes', title: 'T' },
    page: null,
  };
  expect(readDeclaration({ hosts: ['a', 1, 'a'], tools: [tool, 'x'] })).toEqual({
    hosts: ['a'],
    tools: [
      {
        name: '',
        title: 'T',
        description: '',
        outputSchema: {},
        annotations: { title: 'T' },
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      },
    ],
  });
});
