/** One polite live region for the whole application, for changes that are otherwise only visible. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => {});

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ sentence: '', turn: 0 });
  const announce = useCallback(
    (sentence: string) => setSaid(({ turn }) => ({ sentence, turn: turn + 1 })),
    [],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="visually-hidden" aria-live="polite" role="status">
        {/* A new element each time, so that a repeated sentence is announced again. */}
        <span key={said.turn}>{said.sentence}</span>
      </div>
    </AnnounceContext>
  );
}

export function useAnnounce(): (sentence: string) => void {
  return useContext(AnnounceContext);
}
