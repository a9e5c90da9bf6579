import { IconWarning } from '../../parts/icons.tsx';
import { isLoopback, isOutOfReach } from './out-of-reach.ts';
import './out-of-reach.css';

interface OutOfReachProps {
  address: string;
  /** Where the address is set; that of the manifests has its own. */
  setting?: 'BASE_URL' | 'APP_BASE_URL';
  /** What would be wrong: it has the address. */
  before?: string;
}

/** A warning before copying a configuration with an address that is not public. The one of its kind, so that it is recognised. */
export function OutOfReach({
  address: given,
  setting = 'BASE_URL',
  before = 'you copy anything below',
}: OutOfReachProps) {
  const address = URL.parse(given)?.origin ?? given;
  if (!isOutOfReach(address)) return null;
  return (
    <div className="notice notice-wait out-of-reach" role="note">
      <IconWarning />
      <p>
        <strong>
          Only {isLoopback(address) ? 'this machine' : 'your own network'} can reach{' '}
          <span className="break">{address}</span>.
        </strong>{' '}
        Set <code>{setting}</code> to your public address before {before}.{' '}
        <a href="/docs/install#behind-a-proxy" target="_blank" rel="noopener">
          How to set {setting}
        </a>
      </p>
    </div>
  );
}
