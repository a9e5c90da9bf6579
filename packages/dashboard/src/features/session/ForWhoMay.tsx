import type { ReactNode } from 'react';
import { IconInfo } from '../../parts/icons.tsx';
import { type Permission, WHY_NOT } from './may.ts';
import { useMay } from './useSession.ts';

/**
 * Controls that are shown to everybody and work for those who may. To others the browser's own disabled fieldset makes every control
 * inside unusable, however deep, and says why on hover and to screen readers. It has no box of its own, so nothing moves.
 */
export function ForWhoMay({
  permission = 'change',
  children,
}: {
  permission?: Permission;
  children: ReactNode;
}) {
  if (useMay(permission)) return children;
  return (
    <fieldset className="for-who-may" disabled aria-label={WHY_NOT[permission]} title={WHY_NOT[permission]}>
      {children}
    </fieldset>
  );
}

/** At the head of a page where things could be changed by somebody else. */
export function LookOnlyNote() {
  if (useMay('change')) return null;
  return (
    <p className="look-only">
      <IconInfo />
      {WHY_NOT.change}
    </p>
  );
}
