import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountApi, accountQuery } from '../../../features/account/api.ts';
import { Dialog } from '../../../parts/Dialog.tsx';
import { ConfirmStep } from './ConfirmStep.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodesNotice } from './RecoveryCodesNotice.tsx';

/** Three screens: the password, the secret with the first code, the recovery codes. Nothing is on before the code was right. */
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
      <Dialog key="codes" title="Your recovery codes" onClose={done} dismissible={false}>
        <RecoveryCodesNotice codes={confirm.data.recovery_codes} onDone={done} />
      </Dialog>
    );
  }
  if (begin.data !== undefined) {
    return (
      <Dialog key="confirm" title="Scan it with your authenticator" onClose={onClose}>
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
    <Dialog key="password" title="Set up a second factor" onClose={onClose}>
      <PasswordStep
        action="Continue"
        pending={begin.isPending}
        error={begin.error}
        onSubmit={(password) => begin.mutate(password)}
        onCancel={onClose}
      >
        From then on, signing in takes a code of an authenticator app, too.
      </PasswordStep>
    </Dialog>
  );
}
