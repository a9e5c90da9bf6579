import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { Tabs } from '../../features/page/Tabs.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { useMay } from '../../features/session/useSession.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { IconWarning } from '../../parts/icons.tsx';
import { ActivityView } from './activity/ActivityView.tsx';
import { webmcpQueries } from './api.ts';
import { PreviewDialog } from './editor/PreviewDialog.tsx';
import { focusProblem } from './editor/ProblemsButton.tsx';
import { PublishBar, RestingActions } from './editor/PublishBar.tsx';
import { PublishDialog } from './editor/PublishDialog.tsx';
import { StartView } from './editor/StartView.tsx';
import { ToolsView } from './editor/ToolsView.tsx';
import { useCheck } from './editor/useCheck.ts';
import { isSame } from './model/difference.ts';
import type { PlacedProblem } from './model/problems.ts';
import type { View } from './search.ts';
import { troubleOf } from './serving/host-words.ts';
import { ServingView } from './serving/ServingView.tsx';
import type { Declaration, HostStatus, WebmcpState } from './types.ts';
import { useWorkspace } from './useWorkspace.ts';

const ABOUT =
  'Tools that AI agents can discover on your site, in a signed document at /.well-known/webmcp.json.';

export function WebmcpPage() {
  const property = useProperty();
  return property === null ? null : <Loaded key={property.id} property={property} />;
}

function Loaded({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(webmcpQueries.state(property.id));
  if (data !== undefined) return <Workspace property={property} state={data} about={ABOUT} />;
  return (
    <>
      <PageHead title="WebMCP" about={ABOUT} />
      {error === null ? (
        <Skeleton lines={7} label="Loading tools" />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}

const NAMES: Readonly<Record<View, string>> = {
  tools: 'Tools',
  serving: 'Hosting',
  activity: 'Activity',
};

function Workspace({ property, state, about }: { property: Property; state: WebmcpState; about: string }) {
  const workspace = useWorkspace(property.id, property.domain, state);
  const check = useCheck(property.id, workspace.editor);
  const { view = 'tools' }: { view?: View } = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayAsk = useMay('change');
  // Hosting asks the hosts; what is known from there is said in every view.
  const statuses = useQuery({
    ...webmcpQueries.status(property.id),
    enabled: mayAsk && view === 'serving' && state.published !== null,
  }).data;
  const [open, setOpen] = useState<'preview' | 'publish' | null>(null);
  // A phone shows the list or a tool; wider screens show both.
  const [isToolOpen, setToolOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  // The pressed button may disappear or be disabled afterwards, so the focus moves to the bar with the outcome.
  const [done, setDone] = useState(0);
  useEffect(() => {
    if (done > 0) bar.current?.focus();
  }, [done]);
  const onDone = () => setDone((before) => before + 1);
  const { editor, dispatch } = workspace;
  const restore = (declaration: Declaration) => {
    dispatch({ type: 'load', declaration, edited: true });
    void navigate({ to: '.', search: {} });
  };
  // What is published and shown as it is needs no bar.
  const isEdited =
    !isSame(workspace.difference) ||
    state.published === null ||
    workspace.draft.state === 'failed' ||
    check.problems.some(({ severity }) => severity === 'error');
  const show = ({ place, severity }: PlacedProblem) => {
    setToolOpen(place.at === 'tool');
    if (place.at === 'tool') dispatch({ type: 'select', key: place.key });
    // After the tool with the problem is rendered.
    requestAnimationFrame(() => focusProblem(severity));
  };
  const empty = editor.tools.length === 0 && editor.removed === null && state.published === null;
  const isResting = view === 'tools' && !empty && !isEdited;
  return (
    <>
      <PageHead
        title="WebMCP"
        about={about}
        beside={<StateMark state={state} statuses={statuses} />}
        tabs={<Tabs label="WebMCP" names={NAMES} current={view} />}
      >
        {isResting && state.published !== null && (
          <RestingActions version={state.published.version} ref={bar} onPreview={() => setOpen('preview')} />
        )}
      </PageHead>
      {state.issuer_problem !== null && (
        <div className="notice notice-bad issuer-problem">
          <IconWarning label="Publishing is not possible yet" />
          <p className="break">{state.issuer_problem}</p>
        </div>
      )}
      {view === 'tools' && empty && <StartView domain={property.domain} dispatch={dispatch} />}
      {view === 'tools' && !empty && (
        <>
          <ToolsView
            property={property}
            workspace={workspace}
            check={check}
            onReview={isResting ? show : null}
            isToolOpen={isToolOpen}
            onToolOpen={setToolOpen}
          />
          {isEdited && (
            <PublishBar
              property={property}
              state={state}
              workspace={workspace}
              check={check}
              ref={bar}
              onShow={show}
              onDone={onDone}
              onPreview={() => setOpen('preview')}
              onPublish={() => setOpen('publish')}
            />
          )}
        </>
      )}
      {view === 'serving' && <ServingView property={property} state={state} onState={workspace.follow} />}
      {view === 'activity' && (
        <ActivityView
          property={property}
          state={state}
          difference={workspace.difference}
          onRestore={restore}
        />
      )}
      {open === 'preview' && <PreviewDialog check={check} state={state} onClose={() => setOpen(null)} />}
      {open === 'publish' && (
        <PublishDialog
          property={property}
          state={state}
          workspace={workspace}
          onDone={onDone}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

interface StateMarkProps {
  state: WebmcpState;
  /** undefined: not known. */
  statuses: readonly HostStatus[] | undefined;
}

/** Green once the hosts have answered that all is well; before, that it is published is all that is known. */
function StateMark({ state: { published }, statuses }: StateMarkProps) {
  const trouble = published === null ? null : troubleOf(statuses ?? []);
  const lamp =
    published === null ? 'off' : trouble !== null ? 'wait' : statuses === undefined ? 'unknown' : 'on';
  return (
    <Link to="." search={{ view: 'serving' }} className="state-mark state-link" data-state={lamp}>
      <span className="state-lamp" aria-hidden="true" />
      {published === null ? 'Not published' : `Published, ${trouble ?? `version ${published.version}`}`}
    </Link>
  );
}
