import { useState } from 'react';
import type { Account } from '../../../features/account/api.ts';
import { counted } from '../../../format/names.ts';
import { IconWarning } from '../../../parts/icons.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { RenewCodesDialog } from './RenewCodesDialog.tsx';
import { SetUpDialog } from './SetUpDialog.tsx';
import { TurnOffDialog } from './TurnOffDialog.tsx';

/** With this many or fewer recovery codes it is time for new ones. */
const FEW_CODES = 3;

type Open = 'set-up' | 'turn-off' | 'renew' | null;

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
          {left <= FEW_CODES && (
            <p className="notice">
              <IconWarning />
              <span>
                Without a code you can’t come in when the phone is lost. Make new ones and store them.
              </span>
            </p>
          )}
          <div className="panel-actions">
            <button type="button" className="button" onClick={() => setOpen('renew')}>
              New recovery codes
            </button>
            <button type="button" className="button button-bad" onClick={() => setOpen('turn-off')}>
              Turn off
            </button>
          </div>
        </>
      ) : (
        <>
          <p className="factor-state">
            <Mark tone="off" title="Off" />
          </p>
          <p className="aside">
            Whoever learns your password still can’t come in. Any authenticator app will do.
          </p>
          <div className="panel-actions">
            <button type="button" className="button button-primary" onClick={() => setOpen('set-up')}>
              Set up
            </button>
          </div>
        </>
      )}
      {open === 'set-up' && <SetUpDialog onClose={close} />}
      {open === 'turn-off' && <TurnOffDialog onClose={close} />}
      {open === 'renew' && <RenewCodesDialog onClose={close} />}
    </div>
  );
}
