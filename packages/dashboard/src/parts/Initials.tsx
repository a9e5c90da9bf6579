import type { ReactNode } from 'react';

interface InitialsProps {
  name: string;
  /** A property or an organization has a square with one letter, a person a circle with two. */
  of: 'place' | 'person';
  /** Instead of letters. */
  children?: ReactNode;
}

/** A mark of what has no picture. Decorative: it is no part of the name of the button that it is in. */
export function Initials({ name, of, children }: InitialsProps) {
  const letters = name
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .filter((_, index, all) => index === 0 || (of === 'person' && index === all.length - 1))
    .join('');
  return (
    <span className="initials" aria-hidden="true" data-of={of} data-letters={letters}>
      {children}
    </span>
  );
}
