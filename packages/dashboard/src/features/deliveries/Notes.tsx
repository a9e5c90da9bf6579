import { IconInfo } from '../../parts/icons.tsx';
import './notes.css';

/** What is weak about an event though it is taken: a fallback id, a phone that was dropped. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="delivery-notes" aria-label="Notes">
      {notes.map((note) => (
        <li key={note}>
          <IconInfo />
          <span className="break">{note}</span>
        </li>
      ))}
    </ul>
  );
}
