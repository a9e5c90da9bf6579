/** What tables of keys, tokens and links have in common. */
import { Time } from '../Time.tsx';
import './stack-table.css';

/** @param from the network of that use: `203.0.113.0/24`; null: not known */
export function LastUsed({ at, from }: { at: string | null; from: string | null }) {
  return (
    <>
      {at === null ? <span className="quiet">Never</span> : <Time value={at} form="ago" />}
      {from !== null && (
        <span
          className="cell-below"
          title="The network that it was last used from. The full address is not stored."
        >
          from network {from}
        </span>
      )}
    </>
  );
}
