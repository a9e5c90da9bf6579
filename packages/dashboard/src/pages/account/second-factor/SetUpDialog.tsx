import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { accountApi, accountQuery, type TotpSetup } from '../../../features/account/api.ts';
import { cleanCode } from '../../../features/session/CodeField.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';
import { QrCode } from './QrCode.tsx';
import { PasswordStep, RecoveryCodesNotice } from './RecoveryCodesNotice.tsx';

/** Three screens: the password, the secret with the first code, the recovery codes. It is on once the code was right. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const begin = useMutation({ mutationFn: accountApi.beginTotp });
  const confirm = useMutation({ mutationFn: accountApi.confirmTotp });
  const done = () => {
    void queryClient.invalidateQueries(accountQuery());
    onClose();
  };
  if (confirm.data !== undefined) {
    return (
      <Dialog key="codes" title="Your recovery codes" note={step(3)} onClose={done} dismissible={false}>
        <RecoveryCodesNotice codes={confirm.data.recovery_codes} onDone={done} />
      </Dialog>
    );
  }
  if (begin.data !== undefined) {
    return (
      <Dialog key="confirm" title="Scan the code" note={step(2)} onClose={onClose}>
        <ConfirmStep
          setup={begin.data}
          pending={confirm.isPending}
          error={confirm.error}
          onSubmit={(code) => confirm.mutate(code)}
          onCancel={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog key="password" title="Set up two-factor authentication" note={step(1)} onClose={onClose}>
      <PasswordStep
        action="Continue"
        pending={begin.isPending}
        error={begin.error}
        onSubmit={(password) => begin.mutate(password)}
        onCancel={onClose}
      >
        Enter your password to continue. Next, you’ll need an authenticator app.
      </PasswordStep>
    </Dialog>
  );
}

const STEPS = 3;

const step = (at: number): string => `Step ${at} of ${STEPS}`;

interface ConfirmStepProps {
  setup: TotpSetup;
  pending: boolean;
  error: unknown;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}

const CODE_LENGTH = 6;

function ConfirmStep({ setup, pending, error, onSubmit, onCancel }: ConfirmStepProps) {
  const [code, setCode] = useState('');
  const isWrong = error instanceof ApiError && error.field('code') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(cleanCode(code));
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>Scan it with your authenticator app, then enter the code that the app shows.</p>
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
        label="Current code"
        className="mono"
        autoComplete="one-time-code"
        inputMode="numeric"
        placeholder="123456"
        autoFocus
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={isWrong ? 'Wrong code. Check that your phone’s clock is correct.' : undefined}
      />
      <FormError error={error} />
      <DialogActions onCancel={onCancel} disabled={pending || cleanCode(code).length !== CODE_LENGTH}>
        {pending ? 'One moment…' : 'Turn on'}
      </DialogActions>
    </form>
  );
}

function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
