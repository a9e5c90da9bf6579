/** Saves the draft while editing, so that leaving the page loses nothing. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { webmcpApi, webmcpQueries } from '../api.ts';
import { declarationOf, type Editor } from '../model/editor.ts';
import type { WebmcpState } from '../types.ts';

const STILL_MS = 700;

export interface Draft {
  readonly state: 'saved' | 'saving' | 'failed';
  readonly error: unknown;
  readonly save: () => void;
  /** Saves and waits: a save in flight would restore a draft that was published or discarded. */
  readonly settle: () => Promise<void>;
}

export function useDraft(propertyId: string, editor: Editor): Draft {
  const queryClient = useQueryClient();
  const latest = useRef(editor);
  latest.current = editor;
  const saved = useRef(editor.revision);
  const running = useRef<Promise<void> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState<{ state: Draft['state']; error: unknown }>({
    state: 'saved',
    error: null,
  });

  const save = useCallback(
    async (leaving = false): Promise<void> => {
      clearTimeout(timer.current);
      const { revision } = latest.current;
      if (revision === saved.current) return;
      const declaration = declarationOf(latest.current);
      queryClient.setQueryData(webmcpQueries.state(propertyId).queryKey, (state: WebmcpState | undefined) =>
        state === undefined
          ? undefined
          : { ...state, draft: { ...declaration, updated_at: new Date().toISOString() } },
      );
      saved.current = revision;
      setShown({ state: 'saving', error: null });
      try {
        await webmcpApi.saveDraft(propertyId, declaration, leaving);
        if (saved.current === revision) setShown({ state: 'saved', error: null });
      } catch (error) {
        // Later edits are saved by the next run.
        if (saved.current === revision) saved.current = -1;
        setShown({ state: 'failed', error });
      }
    },
    [propertyId, queryClient],
  );
  /** Sequential, so that the last save wins. */
  const enqueue = useCallback(() => {
    const before = running.current ?? Promise.resolve();
    running.current = before.then(() => save());
  }, [save]);

  useEffect(() => {
    if (editor.revision === 0) saved.current = 0;
    if (editor.revision === saved.current) return;
    timer.current = setTimeout(enqueue, STILL_MS);
    return () => clearTimeout(timer.current);
  }, [editor.revision, enqueue]);

  useEffect(() => {
    const leave = () => void save(true);
    const hide = () => document.visibilityState === 'hidden' && enqueue();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      enqueue();
    };
  }, [save, enqueue]);

  const settle = useCallback(async () => {
    enqueue();
    await running.current;
  }, [enqueue]);
  const pending = editor.revision !== 0 && editor.revision !== saved.current;
  return {
    state: shown.state === 'saved' && pending ? 'saving' : shown.state,
    error: shown.error,
    save: enqueue,
    settle,
  };
}
