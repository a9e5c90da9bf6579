import type { Property } from '../../../api/types.ts';
import type { Difference } from '../model/difference.ts';
import type { Declaration, WebmcpState } from '../types.ts';
import { AgentsPanel } from './AgentsPanel.tsx';
import { FetchesPanel } from './FetchesPanel.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';

interface ActivityViewProps {
  property: Property;
  state: WebmcpState;
  /** The draft that restoring would overwrite. */
  difference: Difference;
  onRestore: (declaration: Declaration) => void;
}

export function ActivityView({ property, state, difference, onRestore }: ActivityViewProps) {
  return (
    <div className="activity">
      <FetchesPanel property={property} />
      <AgentsPanel property={property} />
      <HistoryPanel
        property={property}
        current={state.published?.version ?? null}
        difference={difference}
        onRestore={onRestore}
      />
    </div>
  );
}
