import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHead } from '../../features/page/PageHead.tsx';
import { type ApiToken, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { WHY_NOT } from '../../features/session/may.ts';
import { useMay, useSession } from '../../features/session/useSession.ts';
import { RemoveDialog } from '../../parts/ConfirmDialog.tsx';
import { IconPlus } from '../../parts/icons.tsx';
import { EmptyState, ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { IssueTokenDialog } from './IssueTokenDialog.tsx';
import { TokenTable } from './TokenTable.tsx';

export function TokensPage() {
  const where = useWhere();
  const mayManage = useMay('tokens');
  const seesAll = useMay('people');
  const isOwner = useSession().person !== null;
  const tokens = useQuery({ ...peopleQueries.tokens(where), enabled: mayManage });
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  if (!mayManage) {
    return (
      <>
        <PageHead title="API tokens" />
        <p className="aside">{WHY_NOT.tokens}</p>
      </>
    );
  }
  const issueButton = (
    <button type="button" className="button button-primary head-action" onClick={() => setIssuing(true)}>
      <IconPlus />
      New token
    </button>
  );
  return (
    <>
      <PageHead
        title="API tokens"
        about={
          tokens.data !== undefined && tokens.data.length > 0 ? (
            <>
              For scripts that use the API.{' '}
              {seesAll
                ? `${isOwner ? 'As an owner, you' : 'You'} see every member’s tokens.`
                : 'You see your own.'}
            </>
          ) : undefined
        }
      >
        {tokens.data !== undefined && tokens.data.length > 0 && issueButton}
      </PageHead>
      {tokens.isPending && <Skeleton lines={5} label="Loading tokens" />}
      {failed(tokens) && <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.data?.length === 0 && (
        <EmptyState title="No tokens yet" action={issueButton}>
          A token lets a program read reports or change settings, for one property or for all. It never has
          more access than the person who created it.
        </EmptyState>
      )}
      {tokens.data !== undefined && tokens.data.length > 0 && (
        <TokenTable tokens={tokens.data} onRevoke={setRevoking} />
      )}
      {issuing && <IssueTokenDialog onClose={() => setIssuing(false)} />}
      {revoking !== null && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const where = useWhere();
  return (
    <RemoveDialog
      title={`Revoke “${token.name}”?`}
      word={token.name}
      action="Revoke token"
      remove={() => peopleApi.revokeToken(where, token.id)}
      outdated={[peopleQueries.tokens(where)]}
      done={`Revoked ${token.name}`}
      onClose={onClose}
    >
      <p>
        Requests with <code>{token.prefix}…</code> get 401 within seconds. This can’t be undone.
      </p>
    </RemoveDialog>
  );
}
