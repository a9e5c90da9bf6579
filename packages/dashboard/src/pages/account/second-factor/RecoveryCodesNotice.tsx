import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { PasswordField } from '../../../features/session/PasswordField.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { DialogActions } from '../../../parts/Dialog.tsx';
import { IconDownload } from '../../../parts/icons.tsx';
import { FormError } from '../../../parts/states.tsx';

interface RecoveryCodesNoticeProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows new recovery codes, once, until they are confirmed as stored. */
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
        Use them if you lose your phone. Each works once. Store them in a safe place; they{' '}
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

interface PasswordStepProps {
  children: ReactNode;
  action: string;
  pending: boolean;
  error: unknown;
  onSubmit: (password: string) => void;
  onCancel: () => void;
}

/** Asks for the password, because an open browser may be used by another person. */
export function PasswordStep({ children, action, pending, error, onSubmit, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const isWrong = error instanceof ApiError && error.field('password') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(password);
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>{children}</p>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onText={setPassword}
        error={isWrong ? 'Wrong password.' : undefined}
      />
      <FormError error={error} />
      <DialogActions onCancel={onCancel} disabled={pending || password === ''}>
        {pending ? 'One moment…' : action}
      </DialogActions>
    </form>
  );
}
