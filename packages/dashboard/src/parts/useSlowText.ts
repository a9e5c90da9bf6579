import { useEffect, useRef, useState } from 'react';

/** A pause in typing, after which the service is asked. */
const PAUSE_MS = 300;

/** Shows each letter at once, and tells of them after a pause: every change is a question to the service. */
export function useSlowText(value: string, onText: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const latest = useRef(onText);
  latest.current = onText;
  // "Clear" and the browser's back button change the address under the field.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
