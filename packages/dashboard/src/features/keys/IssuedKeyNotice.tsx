import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../parts/CopyButton.tsx';

interface IssuedKeyNoticeProps {
  value: string;
  onDone: () => void;
  /** Names the field that holds it. */
  label?: string;
  /** What is copied, for the accessible name. */
  what?: string;
  /** What it is for, and why to store it. */
  about?: ReactNode;
}

/** Shows a new key, once, until it is confirmed as stored. */
export function IssuedKeyNotice({
  value,
  onDone,
  label = 'Ingest key',
  what = 'the key',
  about = (
    <>
      Store it now. Only a hash is kept here, so it <strong>can’t be shown again</strong>.
    </>
  ),
}: IssuedKeyNoticeProps) {
  const [stored, setStored] = useState(false);
  return (
    <div className="form">
      <p>{about}</p>
      <div className="secret">
        <textarea
          className="mono"
          aria-label={label}
          readOnly
          rows={2}
          spellCheck={false}
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={value} what={what} labelled />
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
