import { type RefObject, useEffect, useState } from 'react';

/**
 * Moves the focus to the first field that is wrong, once it is marked: after a refusal of the service, and when asked.
 * @returns to be called when a form could not be sent
 */
export function useFirstMistake(form: RefObject<HTMLElement | null>, error: unknown): () => void {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (turn === 0 && error === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [turn, error, form]);
  return () => setTurn((before) => before + 1);
}
