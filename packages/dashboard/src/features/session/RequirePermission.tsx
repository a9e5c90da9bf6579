import type { ReactNode } from 'react';
import { IconInfo } from '../../parts/icons.tsx';
import { type Permission, whyNot } from './may.ts';
import { useMay, useSession } from './useSession.ts';

/**
 * Controls that everyone sees and that work with a permission. Without it, a disabled fieldset makes every control inside unusable, at any
 * depth, and gives the reason on hover and to screen readers. It has no box of its own, so the layout does not change.
 */
export function RequirePermission({
  permission = 'change',
  children,
}: {
  permission?: Permission;
  children: ReactNode;
}) {
  const session = useSession();
  if (useMay(permission)) return children;
  const reason = whyNot(session, permission);
  return (
    <fieldset className="require-permission" disabled aria-label={reason} title={reason}>
      {children}
    </fieldset>
  );
}

/** At the head of a page with controls, for callers who may not change anything. */
export function ReadOnlyNote() {
  const session = useSession();
  if (useMay('change')) return null;
  return (
    <p className="read-only-note">
      <IconInfo />
      {whyNot(session, 'change')}
    </p>
  );
}
