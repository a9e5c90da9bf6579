import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import { Dialog } from '../Dialog.tsx';
import { prepareOverlays, useOverlays } from '../overlays/useOverlays.ts';

/** On phones the keyboard takes half of the screen, so choices open over the page. */
const PHONE = '(max-width: 760px)';

interface ChoicePopoverProps {
  /** The name of what is chosen: `Bot`. */
  label: string;
  /** A button; it opens the choices. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  open: boolean;
  /** At which edge of the button the choices end. */
  align?: 'start' | 'end';
  onOpen: (open: boolean) => void;
  children: ReactNode;
}

/** Choices at a button. */
export function ChoicePopover({
  label,
  trigger,
  open,
  align = 'start',
  onOpen,
  children,
}: ChoicePopoverProps) {
  const [overlays, want] = useOverlays();
  const [isPhone, setPhone] = useState(false);
  // Also a key opens it.
  useEffect(() => {
    if (open && !isPhone) want();
  }, [open, isPhone, want]);
  const change = (opens: boolean) => {
    setPhone(opens && window.matchMedia(PHONE).matches);
    onOpen(opens);
  };
  const over = open && isPhone && (
    <Dialog title={label} onClose={() => onOpen(false)} dense>
      {children}
    </Dialog>
  );
  if (overlays === null)
    return (
      <>
        {cloneElement(trigger, {
          'aria-haspopup': 'dialog',
          'aria-expanded': open,
          onPointerEnter: prepareOverlays,
          onFocus: prepareOverlays,
          onClick: () => change(!open),
        })}
        {over}
      </>
    );
  const { Popover } = overlays;
  return (
    <Popover.Root open={open && !isPhone} onOpenChange={change}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="option-popover"
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
      {over}
    </Popover.Root>
  );
}
