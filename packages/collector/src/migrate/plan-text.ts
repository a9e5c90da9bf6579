import type { Plan } from './plan.ts';

const MAX_LINES = 100;

/** The plan as the person reads it before saying yes. */
export function planText({ actions, kept, notes }: Plan): string[] {
  const rows = [
    ...actions.map(({ kind, path, why }) => ({ kind, path, why })),
    ...kept.map(({ path, why }) => ({ kind: 'keep' as const, path, why })),
  ];
  const order = ['create', 'change', 'remove', 'keep'];
  rows.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const shown = rows.slice(0, MAX_LINES);
  const width = Math.max(0, ...shown.map(({ path }) => path.length));
  return [
    ...shown.map(({ kind, path, why }) => `  ${kind.padEnd(6)}  ${path.padEnd(width)}  ${why}`),
    ...(rows.length > MAX_LINES ? [`  and ${rows.length - MAX_LINES} more`] : []),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}
