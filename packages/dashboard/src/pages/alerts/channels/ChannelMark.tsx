import type { ReactNode } from 'react';
import '../../../features/marks/marks.css';
import { IconHash, IconMail } from '../../../features/sharing/icons.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import type { ChannelType } from '../api.ts';

const MARKS: Readonly<Record<ChannelType, ReactNode>> = {
  email: <IconMail />,
  // As Slack writes its channels: its logo may not be used freely.
  slack: <IconHash />,
  webhook: <IconArrow />,
};

/** The kind of a channel at a glance. Decorative: its name is beside it. */
export function ChannelMark({ type, size = 18 }: { type: ChannelType; size?: 18 | 24 }) {
  return (
    <span className="company-mark channel-mark" data-size={size} aria-hidden="true">
      {MARKS[type]}
    </span>
  );
}
