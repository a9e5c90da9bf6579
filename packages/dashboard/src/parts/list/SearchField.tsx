import { useEffect, useRef, useState } from 'react';
import { IconCross, IconSearch } from '../icons.tsx';
import { useKeyPress } from '../shortcuts.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onText: (text: string) => void;
  /** Another control of the page has the key `/`. */
  isSecond?: boolean;
}

/** The text filter of a list. `/` focuses it, Escape leaves it. */
export function SearchField({ label, placeholder, value, onText, isSecond = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useKeyPress((event) => {
    if (event.key !== '/' || isSecond) return;
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
        {...(isSecond ? {} : { 'aria-keyshortcuts': '/' })}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      {value !== '' && (
        <button
          type="button"
          className="icon-button"
          aria-label="Empty this field"
          onClick={() => {
            onText('');
            input.current?.focus();
          }}
        >
          <IconCross />
        </button>
      )}
      {!isSecond && (
        <span className="kbd" aria-hidden="true">
          /
        </span>
      )}
    </div>
  );
}

/** The pause in typing before a request. */
const PAUSE_MS = 300;

/** Shows each letter at once, and reports the text after a pause, because every change is a request. */
export function useSlowText(value: string, onText: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const latest = useRef(onText);
  latest.current = onText;
  // "Clear" and the back button change the value from outside.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
