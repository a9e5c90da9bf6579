import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useSession } from '../../features/session/useSession.ts';
import { type MailSchedule, sharingApi, sharingQueries } from '../../features/sharing/api.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Select } from '../../parts/Select.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { SharingPanel } from './SharingPanel.tsx';

const RHYTHMS = [
  ['week', 'Week'],
  ['month', 'Month'],
] as const;
/** The days that a mail can go out on, by what it is sent every. */
const DAYS: Readonly<Record<MailSchedule['every'], readonly (readonly [string, string])[]>> = {
  week: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((name, index) => [
    `${index + 1}`,
    name,
  ]),
  month: Array.from({ length: 28 }, (_, index) => [`${index + 1}`, `Day ${index + 1}`]),
};
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [`${hour}`, `${`${hour}`.padStart(2, '0')}:00`] as const,
);
const DEFAULT: MailSchedule = { every: 'week', day: 1, hour: 8 };

/** The reader's own mail of this property's reports. */
export function MailSection({ property }: { property: Property }) {
  const { person } = useSession();
  const { data, error, refetch } = useQuery({
    ...sharingQueries.mail(property.id),
    enabled: person !== null,
  });
  const canMail = useQuery({ ...sharingQueries.canMail(property.id), enabled: person === null });
  // Without mail an account doesn’t help.
  const isOff = person === null ? canMail.data === false : data?.available === false;
  const isLoading = person === null ? canMail.isPending : error === null && data === undefined;
  if (person !== null && error === null && data?.available === true)
    return <MailForm property={property} mail={data.mail} email={person.email} />;
  return (
    <Frame>
      {person === null && !isOff && !isLoading && (
        <div className="mail-nobody">
          <p className="aside">Sign in with your own account to get these reports.</p>
          <Link to="/organization/members" hash="invite" className="button">
            Create your account
          </Link>
        </div>
      )}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isLoading && <Skeleton lines={2} label="Loading" />}
      {isOff && (
        <p className="aside">
          This server can’t send mail yet.{' '}
          <a href="/docs/configuration#notes" target="_blank" rel="noopener">
            How to turn it on
          </a>
        </p>
      )}
    </Frame>
  );
}

function Frame({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <SharingPanel
      id="mail"
      title="Email reports"
      about="The figures of the last week or month, sent to you."
      action={action}
    >
      {children}
    </SharingPanel>
  );
}

interface MailFormProps {
  property: Property;
  mail: (MailSchedule & { next_at: string; last_sent_at: string | null; last_error: string | null }) | null;
  email: string;
}

function MailForm({ property, mail, email }: MailFormProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [chosen, setChosen] = useState<MailSchedule>(mail ?? DEFAULT);
  const settle = async (said: string) => {
    announce(said);
    await queryClient.invalidateQueries(sharingQueries.mail(property.id));
  };
  const save = useMutation({
    mutationFn: () => sharingApi.setMail(property.id, chosen),
    onSuccess: () => settle(mail === null ? 'Subscribed' : 'Saved'),
  });
  const stop = useMutation({
    mutationFn: () => sharingApi.stopMail(property.id),
    onSuccess: () => settle('Unsubscribed'),
  });
  const test = useMutation({
    mutationFn: () => sharingApi.testMail(property.id),
    onSuccess: () => announce(`Sent to ${email}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const failed = [save.error, stop.error, test.error].find((error) => error !== null) ?? null;
  const isSaved =
    mail !== null && mail.every === chosen.every && mail.day === chosen.day && mail.hour === chosen.hour;
  const action = (
    <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
      {test.isPending ? 'Sending…' : test.isSuccess ? '✓ Sent' : 'Send one now'}
    </button>
  );
  return (
    <Frame action={action}>
      <p className="aside break">
        {mail === null ? (
          <>You are not subscribed to these reports.</>
        ) : (
          <>
            To {email}. The next one is due <Time value={mail.next_at} form="date" />
            {mail.last_sent_at !== null && (
              <>
                ; the last one was sent <Time value={mail.last_sent_at} form="ago" />
              </>
            )}
            .{mail.last_error !== null && ` The last attempt failed: ${mail.last_error}.`}
          </>
        )}
      </p>
      <FormError error={failed} />
      <form className="mail-form" onSubmit={submit}>
        <Select
          label="Every"
          value={chosen.every}
          options={RHYTHMS}
          onChoose={(every) => setChosen({ ...chosen, every, day: 1 })}
        />
        <Select
          label="On"
          value={`${chosen.day}`}
          options={DAYS[chosen.every]}
          onChoose={(day) => setChosen({ ...chosen, day: Number(day) })}
        />
        <Select
          label={`At (${property.time_zone})`}
          value={`${chosen.hour}`}
          options={HOURS}
          onChoose={(hour) => setChosen({ ...chosen, hour: Number(hour) })}
        />
        <div className="mail-actions">
          {mail === null ? (
            <button type="submit" className="button button-primary" disabled={save.isPending}>
              Subscribe
            </button>
          ) : (
            <>
              <button type="submit" className="button" disabled={save.isPending || isSaved}>
                Save
              </button>
              <button
                type="button"
                className="button button-bad"
                disabled={stop.isPending}
                onClick={() => stop.mutate()}
              >
                Unsubscribe
              </button>
            </>
          )}
        </div>
      </form>
    </Frame>
  );
}
