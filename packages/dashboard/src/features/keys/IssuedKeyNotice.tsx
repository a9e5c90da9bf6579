import { type ReactNode, useState } from 'react';
import { SecretField } from '../../parts/SecretField.tsx';

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
      <SecretField value={value} label={label} what={what} />
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
