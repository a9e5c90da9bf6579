import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { RowMenu } from '../../../parts/list/RowMenu.tsx';
import type { AlertRule } from '../api.ts';

const CHOICES = [
  [HOUR_MS, 'an hour'],
  [DAY_MS, 'a day'],
  [7 * DAY_MS, 'a week'],
  [30 * DAY_MS, '30 days'],
] as const;

interface MuteMenuProps {
  rule: AlertRule;
  /** @param until RFC 3339; null: no longer muted */
  onMute: (until: string | null) => void;
}

export function MuteMenu({ rule, onMute }: MuteMenuProps) {
  const actions =
    rule.muted_until === null
      ? CHOICES.map(([ms, name]) => ({
          label: `Mute for ${name}`,
          onSelect: () => onMute(new Date(Date.now() + ms).toISOString()),
        }))
      : [{ label: 'Unmute', onSelect: () => onMute(null) }];
  return <RowMenu name={rule.title} actions={actions} />;
}
