import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useMay } from '../../../features/session/useSession.ts';
import { webmcpApi } from '../api.ts';
import { declarationOf, type Editor } from '../model/editor.ts';
import { allProblems, type PlacedProblem, placed } from '../model/problems.ts';
import type { CheckAnswer } from '../types.ts';

const STILL_MS = 400;
/** Every state of the text is another answer; only the last few are worth keeping. */
const KEPT_MS = 10_000;

export interface Check {
  readonly problems: readonly PlacedProblem[];
  readonly answer: CheckAnswer | undefined;
  /** Whether the answer is about what stands on the page now. */
  readonly current: boolean;
  readonly error: unknown;
}

/** What the service says of the declaration, asked again whenever it has stood still for a moment. */
export function useCheck(propertyId: string, editor: Editor): Check {
  const { hosts, tools } = editor;
  const now = useMemo(
    () => ({ declaration: declarationOf({ hosts, tools }), keys: tools.map(({ key }) => key) }),
    [hosts, tools],
  );
  const settled = useDebounced(now, STILL_MS);
  // Who can't change anything has nothing to be checked, and would be refused.
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

/** The value as it was when it last stood still for so long. */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
