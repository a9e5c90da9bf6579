import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * What the command palette asks of a page by the fragment of its address, such as `#invite`. The fragment is removed, so that a reload or
 * the back button does not ask again.
 * @param act called with what follows the name: `rotate-4cf2` is `4cf2` of `rotate-`
 */
export function useAsked(name: string, act: (rest: string) => void): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!hash.startsWith(name)) return;
    latest.current(hash.slice(name.length));
    void navigate({ to: '.', search: true, hash: '', replace: true } as never);
  }, [hash, name, navigate]);
}
