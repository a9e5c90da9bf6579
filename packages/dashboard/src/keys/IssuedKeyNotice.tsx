import { useState } from 'react';
import { CopyButton } from '../parts/CopyButton.tsx';

export function IssuedKeyNotice({ value, onDone }: { value: string; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <div className="form">
      <p>
        Store it now: only a digest is kept here, so it <strong>can’t be shown again</strong>.
      </p>
      <div className="secret">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be selected and read by keyboard */}
        <code tabIndex={0} role="textbox" aria-readonly="true" aria-label="Ingest key">
          {value}
        </code>
        <CopyButton text={value} what="the key" labelled />
      </div>
      <label className="check">
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />
        <span>I have stored it</span>
      </label>
      <div className="dialog-actions">
        <button type="button" className="button button-primary" disabled={!stored} onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
