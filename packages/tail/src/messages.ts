/** Figures as sentences. */
import { type Counters, wordsFor } from './counters.ts';

/** Not `Intl`: its data would take 5 MiB of memory as long as the command runs. */
export const number = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

export function bytesOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** What a command tells at its end: what was read, what was sent, what became of it and why. */
export function closing(counters: Counters, dryRun: boolean): string {
  const { lines, passed, sent, others, rejected, service, reasons, lost } = counters;
  const text = [
    `${plural(lines, 'line')} read: ${plural(sent, 'AI visit')}, ${plural(others, 'other request')}`,
  ];
  if (passed > 0) text.push(`  ${plural(passed, 'line')} without a request`);
  for (const [reason, count] of rejected)
    text.push(`  ${plural(count, 'line')} not read: ${wordsFor(reason)}`);
  if (lost > 0) text.push(`  ${plural(lost, 'visit')} left out, because they could not be sent`);
  if (dryRun) text.push('Nothing was sent.');
  else {
    const { kept, duplicate, dropped, rejected: refused } = service;
    text.push(
      `The service kept ${number(kept)}, had ${number(duplicate)} already, dropped ${number(dropped)} and rejected ${number(refused)}.`,
    );
    for (const [reason, count] of reasons) text.push(`  rejected ${number(count)}: ${reason}`);
  }
  return `${text.join('\n')}\n`;
}
