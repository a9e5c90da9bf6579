import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useSession } from '../../features/session/useSession.ts';
import { type MailSchedule, sharingApi, sharingQueries } from '../../features/sharing/api.ts';
import '../../features/sharing/sharing.css';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const MONTH_DAYS = Array.from({ length: 28 }, (_, index) => index + 1);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DEFAULT: MailSchedule = { every: 'week', day: 1, hour: 8 };

/** The reader's own mail of this property's reports. */
export function MailSection({ property }: { property: Property }) {
  const { person } = useSession();
  const state = useQuery({ ...sharingQueries.mail(property.id), enabled: person !== null });
  if (person === null)
    return <p className="aside">A mail is for a person: sign in with your own account to order one.</p>;
  if (state.error !== null) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />;
  if (state.data === undefined) return <Skeleton lines={2} label="Loading" />;
  if (!state.data.available)
    return (
      <p className="aside">
        This installation sends no mail. Its operator sets <code>SMTP_URL</code> and <code>MAIL_FROM</code>.
      </p>
    );
  return <MailForm property={property} mail={state.data.mail} email={person.email} />;
}

interface MailFormProps {
  property: Property;
  mail: (MailSchedule & { next_at: string; last_sent_at: string | null; last_error: string | null }) | null;
  email: string;
}

function MailForm({ property, mail, email }: MailFormProps) {
  const [everyId, dayId, hourId] = [useId(), useId(), useId()];
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [chosen, setChosen] = useState<MailSchedule>(mail ?? DEFAULT);
  const settle = async (said: string) => {
    announce(said);
    await queryClient.invalidateQueries(sharingQueries.mail(property.id));
  };
  const save = useMutation({
    mutationFn: () => sharingApi.setMail(property.id, chosen),
    onSuccess: () => settle('Saved'),
  });
  const stop = useMutation({
    mutationFn: () => sharingApi.stopMail(property.id),
    onSuccess: () => settle('Stopped'),
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
  return (
    <form onSubmit={submit}>
      <p className="aside">
        {mail === null ? (
          <>You get no mail of these reports.</>
        ) : (
          <>
            To {email}. The next one is due <Time value={mail.next_at} form="date" />
            {mail.last_sent_at !== null && (
              <>
                ; the last was sent <Time value={mail.last_sent_at} form="ago" />
              </>
            )}
            .{mail.last_error !== null && ` The newest attempt failed: ${mail.last_error}.`}
          </>
        )}
      </p>
      <div className="mail-form">
        <div className="field">
          <label htmlFor={everyId}>Every</label>
          <select
            id={everyId}
            className="input select"
            value={chosen.every}
            onChange={(event) =>
              setChosen({ ...chosen, every: event.target.value === 'month' ? 'month' : 'week', day: 1 })
            }
          >
            <option value="week">Week</option>
            <option value="month">Month</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor={dayId}>On</label>
          <select
            id={dayId}
            className="input select"
            value={chosen.day}
            onChange={(event) => setChosen({ ...chosen, day: Number(event.target.value) })}
          >
            {chosen.every === 'week'
              ? WEEKDAYS.map((name, index) => (
                  <option key={name} value={index + 1}>
                    {name}
                  </option>
                ))
              : MONTH_DAYS.map((day) => (
                  <option key={day} value={day}>
                    Day {day}
                  </option>
                ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={hourId}>At ({property.time_zone})</label>
          <select
            id={hourId}
            className="input select"
            value={chosen.hour}
            onChange={(event) => setChosen({ ...chosen, hour: Number(event.target.value) })}
          >
            {HOURS.map((hour) => (
              <option key={hour} value={hour}>
                {String(hour).padStart(2, '0')}:00
              </option>
            ))}
          </select>
        </div>
      </div>
      <FormError error={failed} />
      <div className="mail-actions">
        <button type="submit" className="button button-primary" disabled={save.isPending}>
          {mail === null ? 'Order the mail' : 'Save'}
        </button>
        <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Sending…' : test.isSuccess ? '✓ Sent' : 'Send one now'}
        </button>
        {mail !== null && (
          <button
            type="button"
            className="button button-bad"
            disabled={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop it
          </button>
        )}
      </div>
    </form>
  );
}
