/** The frame of a share link's pages: the link is opened, with its password if it has one, and its reports are shown without a session. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { type Answer, ApiError, actWith, call } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { TabRow } from '../../features/page/TabRow.tsx';
import { carriedOver, readReportSearch } from '../../features/reports/search.ts';
import { SHARED_PAGES, SharedContext } from '../../features/session/shared.ts';
import { Field } from '../../parts/Field.tsx';
import { Logo } from '../../parts/Logo.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { TimeZoneContext } from '../../parts/Time.tsx';
import './shared.css';

type Opened = Answer<'POST /api/v1/share/open'>;

export function SharedShell() {
  const { token = '' } = useParams({ strict: false });
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const opened = useQuery({
    queryKey: ['share', token, password],
    async queryFn({ signal }) {
      const access = remembered(token);
      const body = {
        token,
        ...(password === '' ? {} : { password }),
        ...(access === null ? {} : { access }),
      };
      const answer = await call('POST', '/api/v1/share/open', { body, signal });
      remember(token, answer.access);
      // Before the first report is asked for.
      actWith(answer.access);
      return answer;
    },
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(
    () => () => {
      actWith(null);
      queryClient.clear();
    },
    [queryClient],
  );
  const { data, error } = opened;
  if (data !== undefined) return <SharedPages opened={data} token={token} />;
  const isLocked = error instanceof ApiError && error.status === 401;
  return (
    <main className="shared-gate">
      {opened.isPending && <Skeleton lines={4} label="Opening the link" />}
      {isLocked && <PasswordForm isWrong={password !== ''} pending={opened.isFetching} onTry={setPassword} />}
      {error !== null && !isLocked && (
        <>
          <EmptyState title="This link can’t be opened" heading="h1">
            {error instanceof ApiError && error.status === 404
              ? 'It was revoked, has expired, or was copied incompletely. Ask for a new one.'
              : 'Try again in a moment.'}
          </EmptyState>
          {!(error instanceof ApiError && error.status === 404) && (
            <ErrorState error={error} onRetry={() => void opened.refetch()} />
          )}
        </>
      )}
    </main>
  );
}

function SharedPages({ opened, token }: { opened: Opened; token: string }) {
  const here = useRouterState({ select: ({ location }) => location });
  const [shared] = useState(() => ({ token, property: opened.property as Property }));
  const search = carriedOver(readReportSearch({ ...here.search }));
  return (
    <SharedContext value={shared}>
      <div className="shared">
        <a className="skip-link" href="#page">
          Skip to content
        </a>
        <header className="shared-head">
          <Logo size={26} />
          <div>
            <strong>{opened.property.name}</strong>
            <span className="quiet"> {opened.property.domain} · shared with you, read-only</span>
          </div>
        </header>
        <TabRow label="Reports" here={here.pathname}>
          {SHARED_PAGES.map(([name, label]) => (
            <Link
              key={name}
              to={`/s/$token/${name}`}
              params={{ token }}
              search={search}
              className="tab"
              aria-current={here.pathname.endsWith(`/${name}`) ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </TabRow>
        <main id="page" className="page" tabIndex={-1}>
          <TimeZoneContext value={opened.property.time_zone}>
            <Outlet />
          </TimeZoneContext>
        </main>
      </div>
    </SharedContext>
  );
}

interface PasswordFormProps {
  isWrong: boolean;
  pending: boolean;
  onTry: (password: string) => void;
}

function PasswordForm({ isWrong, pending, onTry }: PasswordFormProps) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(typed);
  };
  return (
    <form className="form card shared-form" onSubmit={submit}>
      <h1>This link needs a password</h1>
      <Field
        label="Password"
        type="password"
        autoComplete="off"
        required
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isWrong ? 'Wrong password. Try again, or ask the sender.' : undefined}
      />
      <div className="form-foot">
        <button type="submit" className="button button-primary" disabled={pending || typed === ''}>
          {pending ? 'Opening…' : 'Open'}
        </button>
      </div>
    </form>
  );
}

/** What a link was opened with, so that a reload asks for no password. Named by a part of the token, which alone opens nothing. */
const KEY = 'ghostlight.share.';
const nameOf = (token: string): string => KEY + token.slice(0, 12);

function remembered(token: string): string | null {
  try {
    return localStorage.getItem(nameOf(token));
  } catch {
    return null;
  }
}

function remember(token: string, access: string): void {
  try {
    localStorage.setItem(nameOf(token), access);
  } catch {
    // Without storage the password is asked for again.
  }
}
