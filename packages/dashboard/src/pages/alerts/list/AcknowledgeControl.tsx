import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ActorName } from '../../../features/people/ActorName.tsx';
import { useMay } from '../../../features/session/useSession.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { type Alert, alertsApi, alertsQueries } from '../api.ts';

/** An acknowledged alert is not repeated while it holds. */
export function AcknowledgeControl({ property, alert }: { property: Property; alert: Alert }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const mayChange = useMay('change');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (acknowledged: boolean) => alertsApi.reply(property.id, alert.id, acknowledged),
    onSuccess: async (_, acknowledged) => {
      await queryClient.invalidateQueries(alertsQueries.open(property.id));
      announce(acknowledged ? 'Acknowledged' : 'No longer acknowledged');
    },
  });
  const { acknowledged_at: at, acknowledged_by: by } = alert;
  if (at === null && (alert.state !== 'open' || !mayChange)) return null;
  return (
    <div className="alert-reply">
      {at !== null && (
        <span className="quiet">
          Acknowledged{' '}
          {by !== null && (
            <>
              by <ActorName actor={by} />
            </>
          )}{' '}
          <Time value={at} form="ago" />
        </span>
      )}
      {mayChange && alert.state === 'open' && (
        <button
          type="button"
          className="button button-small"
          aria-label={`${at === null ? 'Acknowledge' : 'Undo'}: ${alert.title}`}
          disabled={isPending}
          onClick={() => mutate(at === null)}
        >
          {at === null ? 'Acknowledge' : 'Undo'}
        </button>
      )}
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
