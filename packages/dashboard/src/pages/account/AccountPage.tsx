import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { type Account, accountApi, accountQuery } from '../../features/account/api.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { ThemeSection } from '../../features/page/ThemeSection.tsx';
import { WHY_NOT } from '../../features/session/may.ts';
import { useMay } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Field } from '../../parts/Field.tsx';
import { Section } from '../../parts/Section.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { LeaveZone, OrganizationList } from './OrganizationList.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList, SignOutElsewhere } from './SessionList.tsx';
import { SecondFactor } from './second-factor/SecondFactor.tsx';

export function AccountPage() {
  const mine = useMay('account');
  const { data, error, refetch } = useQuery({ ...accountQuery(), enabled: mine });
  return (
    <>
      <PageHead title="Your account" about="Your name, how you sign in, and where you are signed in." />
      {!mine && <p className="aside">{WHY_NOT.account}</p>}
      {mine && data === undefined && error === null && <Skeleton lines={8} label="Loading your account" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <div className="sections account">
          <Section title="Profile" about="Other members see your name and email.">
            <NameForm account={data} />
          </Section>
          <Section title="Password" about="Changing it signs you out everywhere else.">
            <PasswordForm apiTokens={data.api_tokens} />
          </Section>
          <Section
            title="Two-factor authentication"
            about="Asks for a code from your phone in addition to your password."
          >
            <SecondFactor account={data} />
          </Section>
          <Section title="Sessions" about="Where you are signed in. End a session that you don’t know.">
            <SessionList />
            <SignOutElsewhere />
          </Section>
          <Section title="Theme" about="Saved in this browser only.">
            <ThemeSection />
          </Section>
          <Section title="Organizations" about="Which organizations you belong to, with your role in each.">
            <OrganizationList account={data} />
          </Section>
          <LeaveZone account={data} />
        </div>
      )}
    </>
  );
}

const MAX_NAME = 100;

function NameForm({ account }: { account: Account }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [name, setName] = useState(account.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => accountApi.rename(name.trim()),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery().queryKey, changed);
      void queryClient.invalidateQueries(queries.session());
      announce('Saved');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Name"
        autoComplete="name"
        required
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error instanceof ApiError ? error.field('name') : undefined}
      />
      <Field
        label="Email"
        type="email"
        className="read-only"
        // Password managers store a new password under the name in the field before it.
        autoComplete="username"
        readOnly
        value={account.email}
        hint="You sign in with this address. To change it, ask an owner for a new invitation."
      />
      <FormError error={error} />
      <div>
        <button
          type="submit"
          className="button button-primary"
          disabled={isPending || name.trim() === '' || name.trim() === account.name}
        >
          {isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  );
}
