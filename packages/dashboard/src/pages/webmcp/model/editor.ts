/** The state of the editor: hosts, tools in order, the open tool. Every edit is one action. */
import type { Declaration, Tool } from '../types.ts';
import { sameJson } from './difference.ts';
import { type Input, inputOf, schemaOf } from './input.ts';

export interface EditedTool {
  /** Identifies a tool while its name and position change. */
  readonly key: string;
  /** The tool without its input. */
  readonly tool: Omit<Tool, 'inputSchema'>;
  readonly input: Input;
}

export interface Editor {
  readonly hosts: readonly string[];
  readonly tools: readonly EditedTool[];
  readonly selected: string | null;
  /** The tool that was just added and gets the focus. */
  readonly added: string | null;
  /** The last removed tool, for undo. */
  readonly removed: { readonly tool: EditedTool; readonly index: number } | null;
  /** Counts edits, so that a save knows what it saved; 0: as loaded. */
  readonly revision: number;
  /** The next key. */
  readonly nextKey: number;
}

export type Edit =
  | {
      readonly type: 'load';
      readonly declaration: Declaration /** An edit, as a restored version is. */;
      readonly edited: boolean;
    }
  | { readonly type: 'select'; readonly key: string | null }
  | { readonly type: 'add'; readonly tool: Tool }
  | { readonly type: 'duplicate' | 'remove'; readonly key: string }
  | { readonly type: 'undo-remove' }
  | { readonly type: 'move'; readonly key: string; readonly to: number }
  | { readonly type: 'tool'; readonly key: string; readonly tool: Omit<Tool, 'inputSchema'> }
  | {
      readonly type: 'input';
      readonly key: string;
      readonly input: Input /** Another way of writing is no edit. */;
      readonly same?: boolean;
    }
  | { readonly type: 'hosts'; readonly hosts: readonly string[] };

export const EMPTY_EDITOR: Editor = {
  hosts: [],
  tools: [],
  selected: null,
  added: null,
  removed: null,
  revision: 0,
  nextKey: 1,
};

export function edit(editor: Editor, action: Edit): Editor {
  const changed = { ...editor, revision: editor.revision + 1 };
  switch (action.type) {
    case 'load':
      return load(editor, action.declaration, action.edited);
    case 'select':
      return { ...editor, selected: action.key, added: null };
    case 'hosts':
      return { ...changed, hosts: action.hosts };
    case 'add':
      return insert(changed, editor.tools.length, { ...split(action.tool), key: `t${editor.nextKey}` });
    case 'duplicate': {
      const index = indexOf(editor, action.key);
      const original = editor.tools[index];
      if (original === undefined) return editor;
      const name = freeToolName(editor, `${original.tool.name}_copy`);
      const copy = { ...original, key: `t${editor.nextKey}`, tool: { ...original.tool, name } };
      return insert(changed, index + 1, copy);
    }
    case 'remove':
      return remove(changed, action.key);
    case 'undo-remove':
      return editor.removed === null
        ? editor
        : { ...insert(changed, editor.removed.index, editor.removed.tool), removed: null };
    case 'move':
      return move(changed, action.key, action.to);
    case 'tool':
      return replace(changed, action.key, (tool) => ({ ...tool, tool: action.tool }));
    case 'input':
      return replace(action.same === true ? editor : changed, action.key, (tool) => ({
        ...tool,
        input: action.input,
      }));
  }
}

/** The content for checks and drafts: invalid schema text is included as a string. */
export function declarationOf({ hosts, tools }: Pick<Editor, 'hosts' | 'tools'>): Declaration {
  return { hosts, tools: tools.map(toolOf) };
}

export function toolOf({ tool, input }: EditedTool): Tool {
  const read = schemaOf(input);
  return { ...tool, inputSchema: read.ok ? read.schema : read.draft };
}

export function freeToolName({ tools }: Pick<Editor, 'tools'>, wish: string): string {
  const taken = new Set(tools.map(({ tool }) => tool.name));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wish : `${wish}_${count}`;
    if (!taken.has(name)) return name;
  }
}

function load(editor: Editor, { hosts, tools }: Declaration, edited: boolean): Editor {
  const left = [...editor.tools];
  const loaded = tools.map((tool, index): EditedTool => {
    // An existing tool keeps its notation: publishing must not turn JSON text into rows.
    const at = left.findIndex((one) => one.tool.name === tool.name && sameJson(toolOf(one), tool));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    return same ?? { ...split(tool), key: `t${editor.nextKey + index}` };
  });
  const before = editor.tools.find(({ key }) => key === editor.selected)?.tool.name;
  const selected = loaded.find(({ tool }) => tool.name === before) ?? loaded[0];
  return {
    hosts,
    tools: loaded,
    selected: selected?.key ?? null,
    added: null,
    removed: null,
    revision: edited ? editor.revision + 1 : 0,
    nextKey: editor.nextKey + loaded.length,
  };
}

function insert(editor: Editor, index: number, tool: EditedTool): Editor {
  return {
    ...editor,
    tools: editor.tools.toSpliced(index, 0, tool),
    selected: tool.key,
    added: tool.key,
    nextKey: editor.nextKey + 1,
  };
}

function remove(editor: Editor, key: string): Editor {
  const index = indexOf(editor, key);
  const tool = editor.tools[index];
  if (tool === undefined) return editor;
  const tools = editor.tools.toSpliced(index, 1);
  const next = tools[index] ?? tools[index - 1];
  return {
    ...editor,
    tools,
    removed: { tool, index },
    selected: editor.selected === key ? (next?.key ?? null) : editor.selected,
  };
}

function move(editor: Editor, key: string, to: number): Editor {
  const from = indexOf(editor, key);
  const tool = editor.tools[from];
  if (tool === undefined) return editor;
  const place = Math.max(0, Math.min(to, editor.tools.length - 1));
  return { ...editor, tools: editor.tools.toSpliced(from, 1).toSpliced(place, 0, tool) };
}

function replace(editor: Editor, key: string, change: (tool: EditedTool) => EditedTool): Editor {
  return { ...editor, tools: editor.tools.map((tool) => (tool.key === key ? change(tool) : tool)) };
}

function split({ inputSchema, ...tool }: Tool): Omit<EditedTool, 'key'> {
  return { tool, input: inputOf(inputSchema) };
}

function indexOf(editor: Editor, key: string): number {
  return editor.tools.findIndex((tool) => tool.key === key);
}
