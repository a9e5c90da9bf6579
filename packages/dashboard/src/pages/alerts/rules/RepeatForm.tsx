import type { Property } from '../../../api/types.ts';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { useRules } from './useRules.ts';

const CHOICES: readonly (readonly [string, string])[] = [
  ['1', 'an hour'],
  ['6', '6 hours'],
  ['12', '12 hours'],
  ['24', '24 hours'],
  ['72', '3 days'],
  ['168', 'a week'],
];

/** What comes and goes is told of once in a while, not each time. */
export function RepeatForm({ property, hours }: { property: Property; hours: number }) {
  const { mutate, error } = useRules(property.id, 'Saved');
  const current = String(hours);
  const choices = CHOICES.some(([value]) => value === current)
    ? CHOICES
    : [...CHOICES, [current, `${current} hours`] as const];
  return (
    <div className="repeat form">
      <Select
        label="The same is told again after"
        value={current}
        options={choices}
        onChoose={(value) => mutate({ repeat_hours: Number(value) })}
        hint="One message per rule and subject in this time. What ends is told once more, where it was trouble."
      />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
