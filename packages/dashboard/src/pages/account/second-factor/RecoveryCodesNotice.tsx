import { useState } from 'react';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { IconDownload } from '../../../parts/icons.tsx';

interface RecoveryCodesNoticeProps {
  codes: readonly string[];
  onDone: () => void;
}

/** The one time that they are shown; they go when their reader says that they are stored. */
export function RecoveryCodesNotice({ codes, onDone }: RecoveryCodesNoticeProps) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'ghostlight-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="form">
      <p>
        For the day the phone is lost: each signs you in once. Store them away from it; they{' '}
        <strong>can’t be shown again</strong>.
      </p>
      <div className="secret">
        <ul className="recovery-codes" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="panel-actions">
          <CopyButton text={text} what="the recovery codes" labelled />
          <button type="button" className="button button-small" onClick={download}>
            <IconDownload />
            Download
          </button>
        </div>
      </div>
      <label className="check">
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />
        <span>I have stored them</span>
      </label>
      <div className="dialog-actions">
        <button type="button" className="button button-primary" disabled={!stored} onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
