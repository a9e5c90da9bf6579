/**
 * Keys issued in this tab, held in memory only, so that the setup page can fill in its commands. A reload forgets them, because a key is
 * shown only once.
 */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

interface HeldKeys {
  /** The newest key issued for the property in this tab, or null. */
  keyFor: (propertyId: string) => string | null;
  hold: (propertyId: string, key: string) => void;
  /** Forgets all keys, when another person signs in. */
  forget: () => void;
}

const HeldKeysContext = createContext<HeldKeys>({ keyFor: () => null, hold: () => {}, forget: () => {} });

export function HeldKeysProvider({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState<ReadonlyMap<string, string>>(new Map());
  const hold = useCallback(
    (propertyId: string, key: string) => setHeld((before) => new Map(before).set(propertyId, key)),
    [],
  );
  const forget = useCallback(() => setHeld(new Map()), []);
  const value = useMemo(
    () => ({ keyFor: (id: string) => held.get(id) ?? null, hold, forget }),
    [held, hold, forget],
  );
  return <HeldKeysContext value={value}>{children}</HeldKeysContext>;
}

export function useHeldKeys(): HeldKeys {
  return useContext(HeldKeysContext);
}
