import { IconWarning } from '../../parts/icons.tsx';
import { isOutOfReach } from './snippets.ts';

/** Said before anything is copied that would carry the address to the edge. */
export function OutOfReach({ address }: { address: string }) {
  if (!isOutOfReach(address)) return null;
  return (
    <div className="notice notice-bad" role="note">
      <IconWarning />
      <p>
        <strong>The edge can’t reach {address}.</strong> Collectors run in the edge platform’s network, not on
        this machine. Set <code>BASE_URL</code> to a public https address of this service first; with what
        stands below, no visit would arrive.
      </p>
    </div>
  );
}
