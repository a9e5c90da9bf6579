/** Sources with options in their setup have their own panel; all others use `SourcePanel`, made of the source's steps. */
import type { ComponentType } from 'react';
import { LogpushPanel } from './LogpushPanel.tsx';
import type { SnippetValues } from './snippets.ts';
import { WorkerPanel } from './WorkerPanel.tsx';

export const PANELS: Readonly<Record<string, ComponentType<{ values: SnippetValues }>>> = {
  edge_worker: WorkerPanel,
  edge_logpush: LogpushPanel,
};
