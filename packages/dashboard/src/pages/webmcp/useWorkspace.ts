/** State shared by the views: the editor, its draft, and the publication that it is based on. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { webmcpQueries } from './api.ts';
import { type Draft, useDraft } from './editor/useDraft.ts';
import { readDeclaration } from './model/declaration.ts';
import { type Difference, differenceOf, sameJson } from './model/difference.ts';
import { declarationOf, type Edit, type Editor, EMPTY_EDITOR, edit } from './model/editor.ts';
import type { Declaration, WebmcpState } from './types.ts';

export interface Workspace {
  readonly editor: Editor;
  readonly dispatch: (action: Edit) => void;
  readonly draft: Draft;
  /** The changes of the editor against the publication. */
  readonly difference: Difference;
  /** The publication that the edit is based on; null: none. */
  readonly baseVersion: number | null;
  /** There is a newer publication. */
  readonly overtaken: boolean;
  /** Continues from the newest publication, and keeps the edits. */
  readonly acceptPublished: () => void;
  /** Loads a new state of the service into the editor: after publishing or discarding. */
  readonly adopt: (state: WebmcpState) => void;
  /** Takes a new state of the service, and keeps the edits. */
  readonly follow: (state: WebmcpState) => void;
}

/** @param domain the host of a first declaration */
export function useWorkspace(propertyId: string, domain: string, state: WebmcpState): Workspace {
  const queryClient = useQueryClient();
  const [editor, dispatch] = useReducer(edit, null, () =>
    edit(EMPTY_EDITOR, { type: 'load', declaration: contentOf(state, domain), edited: false }),
  );
  const [baseVersion, setBaseVersion] = useState(versionOf(state));
  const draft = useDraft(propertyId, editor);
  const current = useMemo(() => declarationOf(editor), [editor]);
  // A publication has been checked, so it is a complete declaration.
  const published = useMemo(() => (state.state === 'published' ? state : { hosts: [], tools: [] }), [state]);

  const follow = useCallback(
    (next: WebmcpState) => {
      queryClient.setQueryData(webmcpQueries.state(propertyId).queryKey, next);
      setBaseVersion(versionOf(next));
    },
    [queryClient, propertyId],
  );
  const adopt = useCallback(
    (next: WebmcpState) => {
      follow(next);
      dispatch({ type: 'load', declaration: contentOf(next, domain), edited: false });
    },
    [follow, domain],
  );
  // An editor without edits follows the service: another tab or person may have changed it.
  useEffect(() => {
    if (editor.revision !== 0) return;
    const content = contentOf(state, domain);
    setBaseVersion(versionOf(state));
    if (!sameJson(content, declarationOf(editor)))
      dispatch({ type: 'load', declaration: content, edited: false });
  }, [state, domain, editor]);

  return {
    editor,
    dispatch,
    draft,
    difference: useMemo(() => differenceOf(published as Declaration, current), [published, current]),
    baseVersion,
    overtaken: editor.revision !== 0 && baseVersion !== versionOf(state),
    acceptPublished: () => setBaseVersion(versionOf(state)),
    adopt,
    follow,
  };
}

function contentOf(state: WebmcpState, domain: string): Declaration {
  const { hosts, tools } = readDeclaration(state.draft ?? state);
  const untouched = state.draft === null && state.state === 'unpublished' && hosts.length === 0;
  return { hosts: untouched ? [domain] : hosts, tools };
}

function versionOf(state: WebmcpState): number | null {
  return state.published?.version ?? null;
}
