import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { type Account, accountApi, accountQuery } from '../../../features/account/api.ts';
import { CodeField, cleanCode } from '../../../features/session/CodeField.tsx';
import { PasswordField } from '../../../features/session/PasswordField.tsx';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { IconWarning } from '../../../parts/icons.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { FormError } from '../../../parts/states.tsx';
import { PasswordStep, RecoveryCodesNotice } from './RecoveryCodesNotice.tsx';
import { SetUpDialog } from './SetUpDialog.tsx';

/** From this number of recovery codes down, the page suggests new ones. */
const FEW_CODES = 3;

type Open = 'setup' | 'turn-off' | 'renew' | null;

export function SecondFactor({ account: { totp, recovery_codes_left: left } }: { account: Account }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <div className="factor">
      {totp ? (
        <>
          <p className="factor-state">
            <Mark tone="good" title="On" />
            <span className="quiet">{counted(left, 'recovery code')} left</span>
          </p>
          <div className="panel-actions">
            <button type="button" className="button" onClick={() => setOpen('renew')}>
              New recovery codes
            </button>
            <button type="button" className="button button-bad" onClick={() => setOpen('turn-off')}>
              Turn off
            </button>
          </div>
          {left <= FEW_CODES && (
            <p className="notice">
              <IconWarning />
              <span>
                If you lose your phone, you need a recovery code to sign in. Create new ones and store them.
              </span>
            </p>
          )}
        </>
      ) : (
        <>
          <p className="factor-state">
            <span className="tag">Off</span>
            <span className="quiet">Works with any authenticator app</span>
          </p>
          <button type="button" className="button" onClick={() => setOpen('setup')}>
            Set up
          </button>
        </>
      )}
      {open === 'setup' && <SetUpDialog onClose={close} />}
      {open === 'turn-off' && <TurnOffDialog onClose={close} />}
      {open === 'renew' && <RenewCodesDialog onClose={close} />}
    </div>
  );
}

function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const renew = useMutation({ mutationFn: accountApi.renewCodes });
  const done = () => {
    void queryClient.invalidateQueries(accountQuery());
    onClose();
  };
  return renew.data === undefined ? (
    <Dialog key="password" title="New recovery codes" onClose={onClose}>
      <PasswordStep
        action="Create new codes"
        pending={renew.isPending}
        error={renew.error}
        onSubmit={(password) => renew.mutate(password)}
        onCancel={onClose}
      >
        They replace all earlier codes, which stop working.
      </PasswordStep>
    </Dialog>
  ) : (
    <Dialog key="codes" title="Your recovery codes" onClose={done} dismissible={false}>
      <RecoveryCodesNotice codes={renew.data.recovery_codes} onDone={done} />
    </Dialog>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: accountApi.disableTotp,
    onSuccess: async () => {
      await queryClient.invalidateQueries(accountQuery());
      announce('Two-factor authentication is off');
      onClose();
    },
  });
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ password, code: cleanCode(code) });
  };
  return (
    <Dialog title="Turn off two-factor authentication?" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>You will sign in with the password only. The recovery codes stop working.</p>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          error={problem?.field('password') === undefined ? undefined : 'Wrong password.'}
        />
        <CodeField
          value={code}
          onText={setCode}
          error={
            problem?.field('code') === undefined ? undefined : 'The code is wrong or has already been used.'
          }
        />
        <FormError error={error} />
        <DialogActions
          onCancel={onClose}
          disabled={isPending || password === '' || cleanCode(code).length < 6}
          danger
        >
          {isPending ? 'One moment…' : 'Turn off'}
        </DialogActions>
      </form>
    </Dialog>
  );
}
