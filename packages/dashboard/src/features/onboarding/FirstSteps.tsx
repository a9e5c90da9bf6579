import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { type Answer, call, get } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconCheck, IconChevronDown, IconCross } from '../../parts/icons.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { useShared } from '../session/shared.ts';
import { useMay } from '../session/useSession.ts';
import './first-steps.css';

const PATH = '/api/v1/properties/{id}/onboarding';
type Onboarding = Answer<`GET ${typeof PATH}`>;
type Step = Onboarding['steps'][number]['step'];
const REFRESH_MS = 10_000;

const queryOf = (id: string) => ({
  queryKey: ['onboarding', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => get(PATH, { params: { id }, signal }),
  staleTime: REFRESH_MS,
  refetchInterval: REFRESH_MS,
});

/** Whether it is known what `FirstSteps` shows, so that a page can appear at once. */
export function useFirstStepsKnown(property: Property): boolean {
  const shared = useShared();
  const { isPending } = useQuery({ ...queryOf(property.id), enabled: shared === null });
  return shared !== null || !isPending;
}

interface FirstStepsProps {
  property: Property;
  /** One line with the next step, which opens the list: figures follow, and they come first. */
  folds?: boolean;
  /** Of a page that has two places for it: while much is open it is at the start, later after the figures. Absent: the only place. */
  at?: 'start' | 'end';
}

/** Whether figures are what a reader comes for by now. Known once `useFirstStepsKnown` says so. */
export function useFirstStepsMostlyDone(property: Property): boolean {
  const shared = useShared();
  const { data } = useQuery({ ...queryOf(property.id), enabled: shared === null });
  return data !== undefined && isMostlyDone(data.steps);
}

/** From this share of steps done on, the figures are what a reader comes for. */
const MOSTLY_DONE = 0.6;

const isMostlyDone = (steps: Onboarding['steps']): boolean =>
  steps.filter(({ done }) => done).length >= MOSTLY_DONE * steps.length;

/** The first steps of a property, until all are done or the list is dismissed. What is done follows from what has arrived. */
export function FirstSteps({ property, folds = false, at }: FirstStepsProps) {
  // The readers of a share link set nothing up.
  const shared = useShared();
  const { data } = useQuery({ ...queryOf(property.id), enabled: shared === null });
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const mayChange = useMay('change');
  const [isOpen, setOpen] = useState(!folds);
  const listId = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('PUT', PATH, { params: { id: property.id }, body: { dismissed: true } }),
    onSuccess: (answer) => {
      queryClient.setQueryData(queryOf(property.id).queryKey, answer);
      announce('First steps hidden');
    },
  });
  if (data === undefined || data.dismissed_at !== null) return null;
  const done = data.steps.filter((step) => step.done).length;
  if (done === data.steps.length) return null;
  const place = isMostlyDone(data.steps) ? 'end' : 'start';
  if (at !== undefined && at !== place) return null;
  const next = data.steps.find((step) => !step.done)?.step;
  return (
    <section className="card panel first-steps" data-folds={folds} aria-label="First steps">
      <header className="panel-head">
        <h2>First steps</h2>
        {/* Once the list is open, its fold of the done ones says so. */}
        {(!isOpen || done === 0) && (
          <span className="quiet">
            {done} of {data.steps.length}
            <span className="first-steps-words"> done</span>
          </span>
        )}
        {!isOpen && next !== undefined && (
          <span className="first-steps-next">
            <span className="first-steps-words">Next: </span>
            <StepLink property={property} step={next}>
              {WORDS[next].name}
            </StepLink>
          </span>
        )}
        {folds && (
          <button
            type="button"
            className="button button-small"
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="first-steps-words">{isOpen ? 'Hide steps' : 'Show steps'}</span>
            <IconChevronDown />
          </button>
        )}
        {mayChange && (
          <button type="button" className="button button-small" disabled={isPending} onClick={() => mutate()}>
            <span className="first-steps-words">Dismiss</span>
            <IconCross />
          </button>
        )}
      </header>
      {error !== null && <ErrorState error={error} onRetry={() => mutate()} />}
      <div id={listId} className="first-steps-lists" hidden={!isOpen}>
        {isOpen && (
          <>
            <StepList property={property} steps={data.steps.filter((step) => !step.done)} />
            {done > 0 && (
              <details>
                <summary>
                  {done} of {data.steps.length} done
                </summary>
                <StepList property={property} steps={data.steps.filter((step) => step.done)} />
              </details>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function StepList({ property, steps }: { property: Property; steps: Onboarding['steps'] }) {
  return (
    <ol>
      {steps.map(({ step, done }) => (
        <li key={step} data-done={done}>
          <span className="first-steps-mark" aria-hidden="true">
            {done && <IconCheck />}
          </span>
          <div>
            <StepLink property={property} step={step}>
              {WORDS[step].name}
            </StepLink>
            <span className="visually-hidden">{done ? ' (done)' : ' (open)'}</span>
            {!done && <span className="cell-detail">{WORDS[step].about}</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}

const WORDS: Readonly<Record<Step, { name: string; about: string }>> = {
  source: { name: 'Connect a source', about: 'A collector or a log sends visits with an ingest key.' },
  first_visit: {
    name: 'First real visit',
    about: 'Test visits don’t count. AI bots come within hours on most sites.',
  },
  verification: {
    name: 'A bot is verified',
    about: 'A visit whose address or signature proves the bot genuine.',
  },
  sdk: {
    name: 'Install the browser script',
    about: 'A small script that records how people arrive from AI engines.',
  },
  webhook: {
    name: 'Receive conversions',
    about: 'Your shop or server posts orders, so that they are matched to visits.',
  },
  alert_channel: {
    name: 'Add an alert channel',
    about: 'Email, Slack or a webhook for new bots, errors and missing data.',
  },
  invite: { name: 'Invite a colleague', about: 'As viewer, admin or owner.' },
};

function StepLink({ property, step, children }: { property: Property; step: Step; children: ReactNode }) {
  const params = { propertyId: property.id };
  switch (step) {
    case 'source':
      return (
        <Link to="/p/$propertyId/setup" params={params}>
          {children}
        </Link>
      );
    case 'first_visit':
      return (
        <Link to="/p/$propertyId/live" params={params}>
          {children}
        </Link>
      );
    case 'verification':
      return (
        <Link to="/p/$propertyId/trust" params={params}>
          {children}
        </Link>
      );
    case 'sdk':
      return (
        <Link to="/p/$propertyId/sdk" params={params}>
          {children}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/p/$propertyId/webhooks" params={params}>
          {children}
        </Link>
      );
    case 'alert_channel':
      return (
        <Link to="/p/$propertyId/alerts" params={params} search={{ view: 'channels' }} hash="add">
          {children}
        </Link>
      );
    case 'invite':
      return <Link to="/organization/members">{children}</Link>;
  }
}
