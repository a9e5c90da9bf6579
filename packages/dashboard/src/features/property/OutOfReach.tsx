import { IconWarning } from '../../parts/icons.tsx';
import { isOutOfReach } from './out-of-reach.ts';

/**
 * A warning before copying a configuration with an address that is not public.
 * @param isElsewhere whether the sender always runs in another network, as a CDN does; a server's may run on this machine
 * @param what what would not arrive
 * @param arrive whether some arrive already, from this machine or its network
 */
export function OutOfReach({
  address: given,
  isElsewhere = true,
  what = 'visits',
  arrive = false,
}: {
  address: string;
  isElsewhere?: boolean;
  what?: string;
  arrive?: boolean;
}) {
  const address = URL.parse(given)?.origin ?? given;
  if (!isOutOfReach(address)) return null;
  if (!isElsewhere)
    return (
      <p className="notice" role="note">
        Only senders on this machine reach {address}. For a sender elsewhere, set <code>BASE_URL</code> to a
        public https address of this service first.
      </p>
    );
  if (arrive)
    return (
      <div className="notice notice-wait" role="note">
        <IconWarning />
        <p>
          <strong>{address} can’t be reached from the internet.</strong> The {what} that arrive come from this
          network. To receive {what} from other networks, set <code>BASE_URL</code> to a public https address
          of this service.
        </p>
      </div>
    );
  return (
    <div className="notice notice-wait" role="note">
      <IconWarning />
      <p>
        <strong>{address} can’t be reached from the internet.</strong> Set <code>BASE_URL</code> to a public
        https address of this service first; until then, no {what} arrive from other networks.
      </p>
    </div>
  );
}
