import { CompanyMark } from '../../../features/marks/CompanyMark.tsx';
import { IconMail } from '../../../features/sharing/icons.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import type { ChannelType } from '../api.ts';

/** The kind of a channel at a glance. Decorative: its name is beside it. */
export function ChannelMark({ type, size = 18 }: { type: ChannelType; size?: 18 | 24 }) {
  if (type === 'slack') return <CompanyMark of="Slack" size={size} />;
  return (
    <span className="company-mark channel-mark" data-size={size} aria-hidden="true">
      {type === 'email' ? <IconMail /> : <IconArrow />}
    </span>
  );
}
