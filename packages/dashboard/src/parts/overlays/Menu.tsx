import { type ReactNode, useRef } from 'react';
import { IconCross } from '../icons.tsx';
import { type Overlays, prepareOverlays, useOverlays } from './useOverlays.ts';

export type MenuParts = Overlays['DropdownMenu'];

interface MenuProps {
  /** Of the button. */
  className: string;
  /** The button's name, where what it shows is not enough. */
  label?: string;
  disabled?: boolean;
  /** At the head of the menu, which is a sheet on a phone. */
  title: string;
  /** Below the title. With it, the head is there at every width. */
  detail?: ReactNode;
  /** What the button shows. */
  face: ReactNode;
  /** At which edge of the button the menu ends. */
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** The entries, made of the menu's parts. They are mounted while the menu is open. */
  children: (parts: MenuParts) => ReactNode;
}

/**
 * A button with a menu, whose code is loaded when it is opened for the first time. Not modal, because the modal form locks scrolling with
 * an inline style element, which the content policy forbids.
 */
export function Menu({
  className,
  label,
  disabled = false,
  title,
  detail,
  face,
  align = 'start',
  side,
  children,
}: MenuProps) {
  const [overlays, want] = useOverlays();
  const wanted = useRef<'pointer' | 'keys' | null>(null);
  const open = (how: 'pointer' | 'keys') => {
    wanted.current = how;
    want();
  };
  if (overlays === null)
    return (
      <button
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        disabled={disabled}
        onPointerEnter={prepareOverlays}
        onFocus={prepareOverlays}
        onClick={({ detail }) => open(detail === 0 ? 'keys' : 'pointer')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open('keys');
        }}
      >
        {face}
      </button>
    );
  const { DropdownMenu: parts } = overlays;
  return (
    <parts.Root modal={false} defaultOpen={wanted.current !== null}>
      <parts.Trigger className={className} aria-label={label} disabled={disabled}>
        {face}
      </parts.Trigger>
      <parts.Portal>
        <parts.Content
          className="menu"
          align={align}
          {...(side === undefined ? {} : { side })}
          sideOffset={6}
          collisionPadding={12}
          onFocus={({ target, currentTarget }) => {
            // The library has not seen the key that opened it first, so it would leave the focus at the menu.
            if (wanted.current === 'keys' && target === currentTarget)
              currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
            wanted.current = null;
          }}
        >
          <parts.Label className="menu-heading" data-of={detail === undefined ? 'sheet' : 'menu'}>
            {title}
            {detail !== undefined && <span>{detail}</span>}
          </parts.Label>
          {children(parts)}
          {/* Only a sheet has it. An entry, because a menu may have no other buttons; the last one, so that none of the others is after it. */}
          <parts.Item className="icon-button menu-close" aria-label="Close">
            <IconCross />
          </parts.Item>
        </parts.Content>
      </parts.Portal>
    </parts.Root>
  );
}
