import { useRef } from 'react';
import { IconSearch } from '../icons.tsx';
import { useKeyPress } from '../shortcuts.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onText: (text: string) => void;
}

/** The text that a list is filtered by. `/` leads into it, Escape out of it. */
export function SearchField({ label, placeholder, value, onText }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useKeyPress((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    input.current?.focus();
  });
  return (
    <div className="search">
      <IconSearch />
      <input
        ref={input}
        type="search"
        className="input"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span className="kbd" aria-hidden="true">
        /
      </span>
    </div>
  );
}
