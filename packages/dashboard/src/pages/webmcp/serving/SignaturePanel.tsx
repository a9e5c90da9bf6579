import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { ActorName } from '../../../features/people/ActorName.tsx';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Time } from '../../../parts/Time.tsx';
import { webmcpApi, webmcpQueries } from '../api.ts';
import type { Publication, WebmcpState } from '../types.ts';

/** Enough of a 43-character thumbprint to identify it. */
const SHOWN_KID = 12;

interface SignaturePanelProps {
  state: WebmcpState;
  published: Publication;
}

export function SignaturePanel({ state, published }: SignaturePanelProps) {
  const { kid, issued_at, expires_at, published_at, published_by, bytes, version } = published;
  return (
    <section className="card panel" aria-label="Signature">
      <h2>Signature</h2>
      <dl className="facts">
        <div>
          <dt>Version</dt>
          <dd className="number">{version}</dd>
        </div>
        <div>
          <dt>Published</dt>
          <dd>
            <Time value={published_at} form="date" />
            {published_by !== null && (
              <span className="fact-more break">
                {' '}
                by <ActorName actor={published_by} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Valid until</dt>
          <dd>
            <Time value={expires_at} form="date" />
            <span className="fact-more">, then renewed</span>
          </dd>
        </div>
        <div>
          <dt>Contents</dt>
          <dd className="number">
            {counted(state.tools.length, 'tool')}, {counted(bytes, 'byte')}
          </dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd className="fact-copy">
            <code title={kid}>{kid.slice(0, SHOWN_KID)}…</code>
            <CopyButton text={kid} what="the key ID" />
          </dd>
        </div>
      </dl>
      <details className="signature-more">
        <summary>Issuer and addresses</summary>
        <dl className="facts">
          <div>
            <dt>Signed</dt>
            <dd>
              <Time value={issued_at} form="date" />
            </dd>
          </div>
          <div>
            <dt>Issuer</dt>
            <dd className="break">{state.issuer}</dd>
          </div>
          <div>
            <dt>Addresses</dt>
            <dd className="fact-links">
              <a href={state.manifest_url} target="_blank" rel="noreferrer">
                Document
              </a>
              <a href={state.jwks_url} target="_blank" rel="noreferrer">
                Public keys (JWKS)
              </a>
            </dd>
          </div>
        </dl>
      </details>
    </section>
  );
}

interface RotateKeysDialogProps {
  property: Property;
  onState: (state: WebmcpState) => void;
  onClose: () => void;
}

export function RotateKeysDialog({ property, onState, onClose }: RotateKeysDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => webmcpApi.rotate(property.id),
    onSuccess: (state) => {
      onState(state);
      void queryClient.invalidateQueries({ queryKey: webmcpQueries.versionsKey(property.id) });
      void queryClient.invalidateQueries(webmcpQueries.status(property.id));
      announce('Keys rotated');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Rotate keys?"
      word="rotate"
      action="Rotate keys"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>
          <strong>Every cached copy becomes invalid at once</strong>: on your hosts, and with agents that
          fetched it before.
        </li>
        <li>
          The same tools are signed with a new key. Hosts serve the new document within about two minutes.
        </li>
        <li>Until then, agents that verify refuse the old copy and may skip your tools.</li>
        <li>The old key is destroyed. This can’t be undone.</li>
      </ul>
    </ConfirmDialog>
  );
}
