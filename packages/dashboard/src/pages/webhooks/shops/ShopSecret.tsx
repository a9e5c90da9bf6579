import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { IssuedKeyNotice } from '../../../features/keys/IssuedKeyNotice.tsx';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { type Shop, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState, failed } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';

const MAX_SECRET = 255;

interface ShopProps {
  readonly property: Property;
  readonly shop: Shop;
}

/** The secret that signs deliveries: entered, or generated here; replaced with an overlap of a week. */
export function ShopSecret({ property, shop }: ShopProps) {
  const { id } = property;
  const { platform, title, makes_secret: isTheirs, connected } = shop;
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);
  const refresh = () => queryClient.invalidateQueries(webhooksQueries.shops(id));
  const connect = useMutation({
    mutationFn: () =>
      webhooksApi.connectShop(id, platform, secret.trim() === '' ? {} : { secret: secret.trim() }),
    onSuccess: async (answer) => {
      setMade(answer.secret);
      setSecret('');
      announce(`${title} is connected`);
      await refresh();
    },
  });
  const endPrevious = useMutation({
    mutationFn: () => webhooksApi.endPreviousSecret(id, platform),
    onSuccess: refresh,
  });
  const refused = connect.error instanceof ApiError ? connect.error.field('secret') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connect.mutate();
  };
  const action = connected
    ? 'Replace secret'
    : secret.trim() === '' && !isTheirs
      ? 'Generate secret'
      : 'Connect';
  return (
    <>
      <p>
        {isTheirs
          ? 'Shopify shows it below its list of webhooks: “Your webhooks will be signed with …”. For an app it is the client secret.'
          : 'Generate one and enter it at each webhook of WooCommerce, or enter the secret that WooCommerce already uses.'}
      </p>
      <RequirePermission>
        <form className="form" onSubmit={submit}>
          <Field
            label="Signing secret"
            type="password"
            autoComplete="off"
            className="mono"
            maxLength={MAX_SECRET}
            required={isTheirs}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            error={refused}
            {...(connected ? { hint: 'The previous secret is accepted for another seven days.' } : {})}
          />
          {connect.error !== null && refused === undefined && <ErrorState error={connect.error} />}
          <div className="shop-actions">
            <button
              type="submit"
              className={connected ? 'button' : 'button button-primary'}
              disabled={connect.isPending || (isTheirs && secret.trim() === '')}
            >
              {action}
            </button>
            {connected && (
              <button type="button" className="button" onClick={() => setRemoving(true)}>
                Disconnect
              </button>
            )}
          </div>
        </form>
      </RequirePermission>
      {shop.previous_until !== null && (
        <p>
          The previous secret is accepted until <Time value={shop.previous_until} form="date" />.{' '}
          <RequirePermission>
            <button
              type="button"
              className="button button-small"
              disabled={endPrevious.isPending}
              onClick={() => endPrevious.mutate()}
            >
              End it now
            </button>
          </RequirePermission>
        </p>
      )}
      {failed(endPrevious) && <ErrorState error={endPrevious.error} />}
      {made !== null && (
        <Dialog title={`Signing secret of ${title}`} onClose={() => setMade(null)} dismissible={false}>
          <IssuedKeyNotice
            label="Signing secret"
            what="the secret"
            about={`Enter it as the secret of each webhook of ${title}. It is not shown again.`}
            value={made}
            onDone={() => setMade(null)}
          />
        </Dialog>
      )}
      {removing && (
        <RemoveDialog
          title={`Disconnect ${title}?`}
          word={title}
          action="Disconnect"
          remove={() => webhooksApi.disconnectShop(id, platform)}
          outdated={[webhooksQueries.shops(id)]}
          done={`Disconnected ${title}`}
          onClose={() => setRemoving(false)}
        >
          <p>Its deliveries are refused with 401 within seconds. What was counted stays.</p>
        </RemoveDialog>
      )}
    </>
  );
}
