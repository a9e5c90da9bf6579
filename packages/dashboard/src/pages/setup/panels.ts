/** Sources whose set-up asks something, and so has a panel of its own; every other is drawn from what it says (`SourcePanel`). */
import type { ComponentType } from 'react';
import { LogpushPanel } from './LogpushPanel.tsx';
import type { SnippetValues } from './snippets.ts';
import { WorkerPanel } from './WorkerPanel.tsx';

export const PANELS: Readonly<Record<string, ComponentType<{ values: SnippetValues }>>> = {
  edge_worker: WorkerPanel,
  edge_logpush: LogpushPanel,
};
