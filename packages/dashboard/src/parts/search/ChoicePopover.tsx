import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../Dialog.tsx';

/** On phones the keyboard takes half of the screen, so choices open over the page. */
const PHONE = '(max-width: 760px)';

interface ChoicePopoverProps {
  /** The name of what is chosen: `Bot`. */
  label: string;
  /** A button; it opens the choices. */
  trigger: ReactNode;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}

/** Choices at a button. */
export function ChoicePopover({ label, trigger, open, onOpen, children }: ChoicePopoverProps) {
  const [isPhone, setPhone] = useState(false);
  return (
    <Popover.Root
      open={open && !isPhone}
      onOpenChange={(opens) => {
        setPhone(opens && window.matchMedia(PHONE).matches);
        onOpen(opens);
      }}
    >
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="option-popover"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
      {open && isPhone && (
        <Dialog title={label} onClose={() => onOpen(false)}>
          {children}
        </Dialog>
      )}
    </Popover.Root>
  );
}
