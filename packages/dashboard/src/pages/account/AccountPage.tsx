import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../features/account/api.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { WHY_NOT } from '../../features/session/may.ts';
import { useMay } from '../../features/session/useSession.ts';
import { Section } from '../../parts/Section.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { NameForm } from './NameForm.tsx';
import { OrganizationList } from './OrganizationList.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import { SecondFactor } from './second-factor/SecondFactor.tsx';

export function AccountPage() {
  const mine = useMay('account');
  const { data, error, refetch } = useQuery({ ...accountQuery(), enabled: mine });
  return (
    <>
      <PageHead title="Your account" />
      {!mine && <p className="aside">{WHY_NOT.account}</p>}
      {mine && data === undefined && error === null && <Skeleton lines={8} label="Loading your account" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <div className="sections">
          <Section title="You" about="How others see you here.">
            <NameForm account={data} />
          </Section>
          <Section title="Password" about="Changing it signs you out everywhere else.">
            <PasswordForm apiTokens={data.api_tokens} />
          </Section>
          <Section title="Second factor" about="A code of your phone, besides the password.">
            <SecondFactor account={data} />
          </Section>
          <Section title="Sessions" about="Where you are signed in.">
            <SessionList />
          </Section>
          <Section title="Organizations" about="Where you belong, and as what.">
            <OrganizationList account={data} />
          </Section>
        </div>
      )}
    </>
  );
}
