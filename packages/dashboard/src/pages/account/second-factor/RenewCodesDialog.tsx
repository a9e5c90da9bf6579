import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountApi, accountQuery } from '../../../features/account/api.ts';
import { Dialog } from '../../../parts/Dialog.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodesNotice } from './RecoveryCodesNotice.tsx';

export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const renew = useMutation({ mutationFn: accountApi.renewCodes });
  const done = () => {
    void queryClient.invalidateQueries(accountQuery());
    onClose();
  };
  return renew.data === undefined ? (
    <Dialog key="password" title="New recovery codes" onClose={onClose}>
      <PasswordStep
        action="Make new codes"
        pending={renew.isPending}
        error={renew.error}
        onSubmit={(password) => renew.mutate(password)}
        onCancel={onClose}
      >
        They take the place of all old ones, which open nothing any more.
      </PasswordStep>
    </Dialog>
  ) : (
    <Dialog key="codes" title="Your recovery codes" onClose={done} dismissible={false}>
      <RecoveryCodesNotice codes={renew.data.recovery_codes} onDone={done} />
    </Dialog>
  );
}
