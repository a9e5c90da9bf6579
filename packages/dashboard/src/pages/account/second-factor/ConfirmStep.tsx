import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { TotpSetup } from '../../../features/account/api.ts';
import { cleanCode } from '../../../features/session/CodeField.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';
import { QrCode } from './QrCode.tsx';

interface ConfirmStepProps {
  setup: TotpSetup;
  pending: boolean;
  error: unknown;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}

const CODE_LENGTH = 6;

export function ConfirmStep({ setup, pending, error, onSubmit, onCancel }: ConfirmStepProps) {
  const [code, setCode] = useState('');
  const isWrong = error instanceof ApiError && error.field('code') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(cleanCode(code));
  };
  return (
    <form className="form" onSubmit={submit}>
      <div className="factor-scan">
        <QrCode rows={setup.qr.rows} label="The secret as a QR code, for your authenticator" />
        <div>
          <p>Can’t scan it? Open it on this device, or type this secret (time-based, 6 digits):</p>
          <p className="factor-secret">
            <code>{inFours(setup.secret)}</code>
            <CopyButton text={setup.secret} what="the secret" />
          </p>
          <a className="quiet-link" href={setup.uri}>
            Open in an authenticator on this device
          </a>
        </div>
      </div>
      <Field
        label="The code that it shows now"
        className="mono"
        autoComplete="one-time-code"
        inputMode="numeric"
        placeholder="123456"
        autoFocus
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={
          isWrong
            ? 'This is not the code that it shows now. Does the clock of the phone go right?'
            : undefined
        }
      />
      <FormError error={error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="submit"
          className="button button-primary"
          disabled={pending || cleanCode(code).length !== CODE_LENGTH}
        >
          {pending ? 'One moment…' : 'Turn on'}
        </button>
      </div>
    </form>
  );
}

function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
