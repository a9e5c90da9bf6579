import { type ReactNode, type RefCallback, useCallback, useEffect, useId, useRef, useState } from 'react';
import './term.css';

const GAP = 6;
const EDGE = 8;

/** What a button of a term needs: it shows the definition on hover, on focus and when it is pressed. */
interface Trigger {
  readonly ref: RefCallback<HTMLButtonElement>;
  readonly 'aria-describedby': string | undefined;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: { key: string; stopPropagation(): void }) => void;
}

interface Explained {
  readonly trigger: Trigger | undefined;
  /** The definition, while it is shown; its place is anywhere beside the button. */
  readonly tip: ReactNode;
  readonly show: () => void;
}

/**
 * The definition of a term at a button that does something else, such as sorting a column.
 * @param name a heading of docs/glossary.md, in any letter case; absent: there is nothing to explain
 */
export function useTerm(name: string | undefined): Explained {
  const id = useId();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const show = useCallback(() => {
    if (name === undefined) return;
    setOpen(true);
    void import('./terms.ts').then(
      ({ definitionOf }) => setText(definitionOf(name)),
      // Without the service there is no definition; the term stands for itself.
      () => {},
    );
  }, [name]);
  const hide = () => setOpen(false);
  const isShown = isOpen && text !== '';
  useEffect(() => {
    const [anchor, box] = [button?.getBoundingClientRect(), tip.current];
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
  }, [isShown, button]);
  const onKeyDown: Trigger['onKeyDown'] = (event) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    hide();
  };
  return {
    show,
    trigger:
      name === undefined
        ? undefined
        : {
            ref: setButton,
            'aria-describedby': isShown ? id : undefined,
            onPointerEnter: show,
            onPointerLeave: hide,
            onFocus: show,
            onBlur: hide,
            onKeyDown,
          },
    tip: isShown && (
      <span ref={tip} id={id} role="tooltip" popover="manual" className="term-tip">
        {text}
      </span>
    ),
  };
}

interface TermProps {
  /** A heading of docs/glossary.md, in any letter case. */
  name: string;
  children: ReactNode;
}

/** A term of the reports: its definition is shown on hover, on focus and when it is pressed. */
export function Term({ name, children }: TermProps) {
  const { trigger, tip, show } = useTerm(name);
  return (
    <>
      <button {...trigger} type="button" className="term" onClick={show}>
        {children}
      </button>
      {tip}
    </>
  );
}
