import type { Property } from '../../../api/types.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { IconPause, IconPlay } from '../../../parts/icons.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { useChange } from '../useChange.ts';

/** Stops and starts sending. What comes in meanwhile waits. An alarm has its own way back. */
export function PauseButton({ property, destination }: { property: Property; destination: Destination }) {
  const isPaused = destination.state === 'paused';
  const { mutate, isPending, error } = useChange(
    property.id,
    destination.id,
    isPaused ? `${destination.name} sends again` : `${destination.name} is paused; conversions wait`,
  );
  if (destination.state === 'alarm') return null;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isPending}
        onClick={() => mutate({ paused: !isPaused })}
      >
        {isPaused ? <IconPlay /> : <IconPause />}
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
