import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import {
  type DomainState,
  type TrackingDomain,
  webhooksApi,
  webhooksQueries,
} from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Sign, type Tone } from '../../../parts/Sign.tsx';
import { ErrorState, failed } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';

interface DomainRowProps {
  property: Property;
  domain: TrackingDomain;
  onRemove: () => void;
}

export function DomainRow({ property, domain: one, onRemove }: DomainRowProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { tone, title, action } = domainWords(one.state);
  const verify = useMutation({
    mutationFn: () => webhooksApi.verifyDomain(property.id, one.domain),
    onSuccess: async ({ domain, state, error }) => {
      await queryClient.invalidateQueries(webhooksQueries.domains(property.id));
      announce(`${domain}: ${domainWords(state).title}${error === null ? '' : `. ${error}`}`);
    },
  });
  return (
    <li className="domain-row">
      <Sign tone={tone} />
      <div className="domain-body">
        <p className="domain-head">
          <span className="mono break">{one.domain}</span>
          <strong>{title}</strong>
        </p>
        {one.error !== null && <p className="break">{one.error}</p>}
        {action !== '' && <p className="aside">{action}</p>}
        {one.state !== 'verified' && (
          <dl className="txt-record" aria-label={`TXT record of ${one.domain}`}>
            {(
              [
                ['Name', one.record.name],
                ['Value', one.record.value],
              ] as const
            ).map(([name, value]) => (
              <div key={name} className="setting">
                <dt>{name}</dt>
                <dd className="mono break">{value}</dd>
                <CopyButton text={value} what={`the ${name.toLowerCase()} of the TXT record`} />
              </div>
            ))}
          </dl>
        )}
        <p className="quiet">
          {one.checked_at === null ? 'Not checked yet' : 'Checked '}
          {one.checked_at !== null && <Time value={one.checked_at} form="ago" />}
          {one.verified_at !== null && ' · verified '}
          {one.verified_at !== null && <Time value={one.verified_at} form="date" />}
        </p>
        {failed(verify) && <ErrorState error={verify.error} />}
        <RequirePermission>
          <div className="panel-actions">
            <button
              type="button"
              className={
                one.state === 'verified' ? 'button button-small' : 'button button-small button-primary'
              }
              aria-label={`Verify ${one.domain} now`}
              disabled={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {verify.isPending ? 'Checking…' : 'Verify now'}
            </button>
            <button
              type="button"
              className="button button-small button-bad"
              aria-label={`Remove ${one.domain}`}
              onClick={onRemove}
            >
              Remove
            </button>
          </div>
        </RequirePermission>
      </div>
    </li>
  );
}

/** Texts for the states of a tracking domain, and what to do. */
interface DomainWords {
  readonly tone: Tone;
  readonly title: string;
  readonly action: string;
}

const STATES: Readonly<Record<DomainState, DomainWords>> = {
  pending: {
    tone: 'wait',
    title: 'Waiting for the record',
    action: 'Add this TXT record at your DNS provider, then verify. It can take a few minutes to be visible.',
  },
  verified: {
    tone: 'good',
    title: 'Verified',
    action: '',
  },
  failing: {
    tone: 'bad',
    title: 'Record missing',
    action: 'The record was removed. The domain keeps working for seven days: restore the record and verify.',
  },
};

/** An unknown state, of a newer service, is shown as received. */
function domainWords(state: string): DomainWords {
  return STATES[state as DomainState] ?? { tone: 'unknown', title: state.replaceAll('_', ' '), action: '' };
}
