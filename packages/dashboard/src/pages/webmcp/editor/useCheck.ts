import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useMay } from '../../../features/session/useSession.ts';
import { webmcpApi } from '../api.ts';
import { declarationOf, type Editor } from '../model/editor.ts';
import { allProblems, type PlacedProblem, placed } from '../model/problems.ts';
import type { CheckAnswer } from '../types.ts';

const STILL_MS = 400;
/** How long answers are kept: each state of the text has its own. */
const KEPT_MS = 10_000;

export interface Check {
  readonly problems: readonly PlacedProblem[];
  readonly answer: CheckAnswer | undefined;
  /** Whether the answer is about the current content. */
  readonly current: boolean;
  readonly error: unknown;
}

/** The check of the declaration by the service, repeated after each pause in editing. */
export function useCheck(propertyId: string, editor: Editor): Check {
  const { hosts, tools } = editor;
  const now = useMemo(
    () => ({ declaration: declarationOf({ hosts, tools }), keys: tools.map(({ key }) => key) }),
    [hosts, tools],
  );
  const settled = useDebounced(now, STILL_MS);
  // Viewers can't edit, and the service would refuse the check.
  const mayChange = useMay('change');
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['webmcp-check', propertyId, settled],
    queryFn: async ({ signal }) => {
      const answer = await webmcpApi.check(propertyId, settled.declaration, signal);
      return { answer, problems: placed(answer.problems, settled.keys) };
    },
    enabled: mayChange,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const checked = data?.problems;
  const problems = useMemo(() => allProblems(editor, checked ?? []), [editor, checked]);
  return {
    problems,
    answer: data?.answer,
    current: data !== undefined && !isPlaceholderData && settled === now,
    error,
  };
}

/** The value, once it has not changed for the given time. */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
