import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './term.css';

interface TermProps {
  /** A heading of docs/glossary.md, in any letter case. */
  name: string;
  children: ReactNode;
}

const GAP = 6;
const EDGE = 8;

/** A term of the reports: its definition is shown on hover, on focus and when it is pressed. */
export function Term({ name, children }: TermProps) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const show = () => {
    setOpen(true);
    if (text !== '') return;
    void import('./terms.ts').then(
      ({ definitionOf }) => setText(definitionOf(name)),
      // Without the service there is no definition; the term stands for itself.
      () => {},
    );
  };
  const hide = () => setOpen(false);
  const isShown = isOpen && text !== '';
  useEffect(() => {
    const [anchor, box] = [trigger.current?.getBoundingClientRect(), tip.current];
    if (!isShown || anchor === undefined || box === null) return;
    box.showPopover();
    // Over all else, and within the window.
    const { width, height } = box.getBoundingClientRect();
    const left = Math.max(EDGE, Math.min(anchor.left, window.innerWidth - width - EDGE));
    const below = anchor.bottom + GAP;
    const isRoom = below + height + EDGE <= window.innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${isRoom ? below : anchor.top - height - GAP}px`;
    const leave = () => setOpen(false);
    window.addEventListener('scroll', leave, { capture: true, once: true });
    return () => window.removeEventListener('scroll', leave, { capture: true });
  }, [isShown]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    hide();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="term"
        aria-describedby={isShown ? id : undefined}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      {isShown && (
        <span ref={tip} id={id} role="tooltip" popover="manual" className="term-tip">
          {text}
        </span>
      )}
    </>
  );
}
