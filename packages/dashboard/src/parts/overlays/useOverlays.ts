import { useCallback, useState } from 'react';

export type Overlays = typeof import('./radix.ts');

let loaded: Overlays | null = null;

async function load(): Promise<Overlays> {
  loaded ??= await import('./radix.ts');
  return loaded;
}

/** Loads the code before it is asked for: the pointer or the focus is near. Without the service there is none, and a press asks again. */
export function prepareOverlays(): void {
  void load().catch(() => {});
}

/** The code, or null until `want` was called and it has come. A button is replaced only then: a press must find the one that it began at. */
export function useOverlays(): readonly [overlays: Overlays | null, want: () => void] {
  const [overlays, setOverlays] = useState(loaded);
  const want = useCallback(() => {
    void load().then(setOverlays, () => {});
  }, []);
  return [overlays, want];
}
