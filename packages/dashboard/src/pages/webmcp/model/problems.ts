/** All problems of the declaration by place: those of the service, and those that can't be sent to it. */
import type { Problem } from '../types.ts';
import type { EditedTool, Editor } from './editor.ts';
import { schemaOf } from './input.ts';
import { below, placeOf, readJson } from './json-text.ts';
import { fieldPlace, keywordOf, placeOfPointer, type ToolPart } from './places.ts';

export interface PlacedProblem {
  readonly message: string;
  readonly severity: Problem['severity'];
  readonly place:
    | { readonly at: 'manifest' }
    | { readonly at: 'hosts'; readonly index: number | null }
    | { readonly at: 'tool'; readonly key: string; readonly part: ToolPart; readonly inner: string };
}

/** @param keys the tools in the order of the check; they may have moved since */
export function placed(problems: readonly Problem[], keys: readonly string[]): PlacedProblem[] {
  return problems.map(({ pointer, message, severity }) => {
    const place = placeOfPointer(pointer);
    if (place.at !== 'tool') return { message, severity, place };
    const key = keys[place.index];
    return { message, severity, place: key === undefined ? { at: 'manifest' } : { ...place, key } };
  });
}

/** The service's problems that still apply, and those of the editor. */
export function allProblems(editor: Editor, checked: readonly PlacedProblem[]): PlacedProblem[] {
  const standing = new Map(editor.tools.map((tool) => [tool.key, tool]));
  const fromService = checked.filter(({ place }) => {
    if (place.at !== 'tool') return true;
    const tool = standing.get(place.key);
    if (tool === undefined) return false;
    // For invalid text the service only reports that it is not a schema.
    return place.part !== 'input' || schemaOf(tool.input).ok;
  });
  return [...editor.tools.flatMap(ownProblems), ...fromService];
}

export function problemsOfTool(problems: readonly PlacedProblem[], key: string): PlacedProblem[] {
  return problems.filter(({ place }) => place.at === 'tool' && place.key === key);
}

/** The message for one part of a tool, errors before warnings. */
export function atPart(problems: readonly PlacedProblem[], part: ToolPart): PlacedProblem | undefined {
  const here = problems.filter(({ place }) => place.at === 'tool' && place.part === part);
  return here.find(({ severity }) => severity === 'error') ?? here[0];
}

export interface LineProblem {
  readonly line: number;
  readonly message: string;
  readonly severity: Problem['severity'];
}

/** The problems of a tool's input at the lines of its text, in reading order. */
export function atLines(text: string, problems: readonly PlacedProblem[]): LineProblem[] {
  const json = readJson(text);
  const at = problems.flatMap(({ place, message, severity }) => {
    if (place.at !== 'tool' || place.part !== 'input') return [];
    const line = json.ok ? placeOf(json.places, place.inner).line : 1;
    return [{ line, message, severity }];
  });
  return at.toSorted((one, other) => one.line - other.line);
}

/** The same for the short form: problems of a property are at the line of its name. */
export function atShortLines(text: string, problems: readonly PlacedProblem[]): LineProblem[] {
  const lines = text.split('\n');
  const at = innerProblems(problems).map(({ inner, message, severity }) => {
    const { name } = fieldPlace(inner);
    const index = name === null ? -1 : lines.findIndex((line) => nameIn(line) === name);
    return { line: Math.max(index, 0) + 1, message, severity };
  });
  return at.toSorted((one, other) => one.line - other.line);
}

/** The first name of a line, with or without quotes and the brace before it. */
function nameIn(line: string): string | undefined {
  const [, quoted, bare] = /^[\s{]*(?:["']([^"']+)["']|([^\s"':,{}]+))\s*:/.exec(line) ?? [];
  return quoted ?? bare;
}

/** A problem below a schema, as passed down by rows. */
export interface InnerProblem {
  readonly inner: string;
  readonly message: string;
  readonly severity: Problem['severity'];
}

export function innerProblems(problems: readonly PlacedProblem[]): InnerProblem[] {
  return problems.flatMap(({ place, message, severity }) =>
    place.at === 'tool' && place.part === 'input' ? [{ inner: place.inner, message, severity }] : [],
  );
}

/** Splits problems of an object schema into those of the row `name` and the others. */
export function ofRow(problems: readonly InnerProblem[], name: string): InnerProblem[] {
  const prefix = below('/properties', name);
  return problems.flatMap((problem) =>
    problem.inner === prefix || problem.inner.startsWith(`${prefix}/`)
      ? [{ ...problem, inner: problem.inner.slice(prefix.length) }]
      : [],
  );
}

/** Problems of the object itself and of missing rows. */
export function ofNoRow(problems: readonly InnerProblem[], names: readonly string[]): InnerProblem[] {
  return problems.filter((problem) => !names.some((name) => ofRow([problem], name).length > 0));
}

/** The problem of one keyword of a row; the whole row's when `keyword` is empty. */
export function atKeyword(problems: readonly InnerProblem[], keyword: string): InnerProblem | undefined {
  return problems.find(({ inner }) => keywordOf(inner) === keyword);
}

/** The display name of a tool. */
export function toolLabel({ tool: { name, title } }: EditedTool): string {
  return name || title || 'Unnamed tool';
}

/** Text or rows that don't form a schema. */
function ownProblems({ key, input }: EditedTool): PlacedProblem[] {
  const read = schemaOf(input);
  if (read.ok) return [];
  return read.mistakes.map(({ message }) => ({
    message,
    severity: 'error',
    place: { at: 'tool', key, part: 'input', inner: '' },
  }));
}
