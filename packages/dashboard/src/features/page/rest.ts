/** What can wait until the first view has its figures: on a large property each request takes the machine from the others. */
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';

const LOOK_MS = 400;
/** How far below the window something is still near. */
const NEAR_PX = 300;

/** Whether the reports that were asked for have answered. Once true, it stays true. */
export function useAtRest(): boolean {
  const client = useQueryClient();
  const [rests, setRests] = useState(false);
  useEffect(() => {
    if (rests) return;
    const timer = setInterval(() => {
      if (client.isFetching({ queryKey: ['report'] }) === 0) setRests(true);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [client, rests]);
  return rests;
}

/** Whether it is time to load an element's content: it is in the window or near it, or nothing else is being loaded. */
export function useItsTurn(element: RefObject<HTMLElement | null>): boolean {
  const rests = useAtRest();
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return rests || isNear;
}
