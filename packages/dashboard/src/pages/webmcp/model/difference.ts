/** The changes of a publication. Tools are identified by name, as for an agent. */
import { isObject } from '@ghostlight/core';
import type { Declaration, Tool } from '../types.ts';

export interface ChangedTool {
  readonly name: string;
  /** Members that differ: `description`, `inputSchema`, … */
  readonly members: readonly string[];
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedTool[];
  /** The common tools are in another order. */
  readonly reordered: boolean;
  readonly hostsAdded: readonly string[];
  readonly hostsRemoved: readonly string[];
}

export function differenceOf(published: Declaration, edited: Declaration): Difference {
  const before = new Map(published.tools.map((tool) => [tool.name, tool]));
  const after = new Map(edited.tools.map((tool) => [tool.name, tool]));
  const common = [...after.keys()].filter((name) => before.has(name));
  const changed = common.flatMap((name) => {
    const members = differingMembers(before.get(name), after.get(name));
    return members.length === 0 ? [] : [{ name, members }];
  });
  const orderBefore = [...before.keys()].filter((name) => after.has(name));
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed,
    reordered: common.some((name, index) => orderBefore[index] !== name),
    hostsAdded: edited.hosts.filter((host) => !published.hosts.includes(host)),
    hostsRemoved: published.hosts.filter((host) => !edited.hosts.includes(host)),
  };
}

export function isSame({
  added,
  removed,
  changed,
  reordered,
  hostsAdded,
  hostsRemoved,
}: Difference): boolean {
  return [added, removed, changed, hostsAdded, hostsRemoved].every((list) => list.length === 0) && !reordered;
}

/** `2 added, 1 changed, hosts changed`; empty when nothing differs. */
export function summaryOf(difference: Difference): string {
  const { added, removed, changed, reordered, hostsAdded, hostsRemoved } = difference;
  const counts: readonly [number, string][] = [
    [added.length, 'added'],
    [changed.length, 'changed'],
    [removed.length, 'removed'],
  ];
  return [
    ...counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`),
    ...(reordered ? ['reordered'] : []),
    ...(hostsAdded.length + hostsRemoved.length > 0 ? ['hosts changed'] : []),
  ].join(', ');
}

/** Whether two JSON values are equal; the order of members does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
    );
  }
  return one === other;
}

function differingMembers(one: Tool | undefined, other: Tool | undefined): string[] {
  const before: Record<string, unknown> = { ...one };
  const after: Record<string, unknown> = { ...other };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !sameJson(before[name], after[name]));
}
