import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Answer, ApiError, type Body, call, get } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { ErrorState, FormError, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';

const PATH = '/api/v1/properties/{id}/retention';
type Kept = Answer<`GET ${typeof PATH}`>['items'][number];
type Rules = Body<`PUT ${typeof PATH}`>;
type Preview = Answer<`POST ${typeof PATH}/preview`>['items'][number];

const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: ['retention', id],
    queryFn: async ({ signal }) => (await get(PATH, { params: { id }, signal })).items,
  });

/** How long the property keeps each class of data. */
export function RetentionSection({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(retentionQuery(property.id));
  if (isPending) return <Skeleton lines={8} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <RetentionForm
      key={data.map(({ days, own }) => `${days} ${own}`).join()}
      property={property}
      kept={data}
    />
  );
}

/** Each class with what its rows are. */
const CLASSES: Readonly<Record<Kept['class'], readonly [name: string, about: string]>> = {
  ai_visits: ['Visits of AI bots and search crawlers', 'Individual visits, shown in Visits and Live'],
  referrals: ['AI referrals', 'Individual visits of people who followed a link from an AI engine'],
  samples: ['Other traffic', 'A sample of visits by people and other bots, and counts of requests'],
  events: ['Browser events', 'What the script on your pages sends'],
  visitors: ['Visitors and sessions', 'Visitor IDs that link conversions to earlier visits'],
  conversions: ['Conversions', 'Purchases, leads and more, with personal data'],
  deliveries: ['Deliveries to ad platforms', 'What was sent, and how it was answered'],
  daily: ['Daily figures', 'Totals behind the charts, no individual visits'],
};

/** The property's own days; null: those of the installation, which an empty field means too. */
function ruleOf({ days, own, default: standard }: Kept, text: string): number | null {
  if (text.trim() === '') return null;
  const wanted = Number(text);
  // The same number as the default stays the property's own only where it was that before.
  return wanted === standard && !(own && wanted === days) ? null : wanted;
}

function RetentionForm({ property: { id }, kept }: { property: Property; kept: readonly Kept[] }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(kept.map((one) => [one.class, String(one.days)])),
  );
  const [losing, setLosing] = useState<readonly Preview[]>([]);
  const rules: Rules = Object.fromEntries(
    kept.map((one) => [one.class, ruleOf(one, texts[one.class] ?? '')]),
  );
  const save = useMutation({
    mutationFn: () => call('PUT', PATH, { params: { id }, body: rules }),
    onSuccess: async () => {
      setLosing([]);
      await queryClient.invalidateQueries(retentionQuery(id));
      announce('Saved');
    },
  });
  // What is deleted is said before anything is saved.
  const look = useMutation({
    mutationFn: () => call('POST', `${PATH}/preview`, { params: { id }, body: rules }),
    onSuccess: ({ items }) => {
      const lost = items.filter(({ rows }) => rows > 0);
      if (lost.length === 0) save.mutate();
      else setLosing(lost);
    },
  });
  const error = look.error ?? save.error;
  const unchanged = kept.every((one) => rules[one.class] === (one.own ? one.days : null));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look.mutate();
  };
  return (
    <>
      <form className="form retention" onSubmit={submit}>
        {kept.map((one) => (
          <RetentionField
            key={one.class}
            kept={one}
            text={texts[one.class] ?? ''}
            isDefault={rules[one.class] === null}
            error={error instanceof ApiError ? error.field(one.class) : undefined}
            onText={(text) => setTexts({ ...texts, [one.class]: text })}
          />
        ))}
        <FormError error={error} />
        <div className="retention-foot" data-changed={!unchanged}>
          <button
            type="submit"
            className="button button-primary"
            disabled={unchanged || look.isPending || save.isPending}
          >
            {look.isPending || save.isPending ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
      {losing.length > 0 && (
        <ConfirmDialog
          title="Delete what is older?"
          word="delete"
          action="Save and delete"
          pending={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate()}
          onClose={() => setLosing([])}
        >
          <p>These rows are deleted within two hours. This can’t be undone.</p>
          <ul>
            {losing.map((lost) => (
              <li key={lost.class}>
                {counted(lost.rows, 'row')} of {lost.holds}
                {lost.oldest_day !== null && `, from ${dayLabel(lost.oldest_day, true)}`} until before{' '}
                {dayLabel(lost.kept_from, true)}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}

interface RetentionFieldProps {
  kept: Kept;
  text: string;
  /** Its days are those of the installation. */
  isDefault: boolean;
  error: string | undefined;
  onText: (text: string) => void;
}

function RetentionField({ kept, text, isDefault, error, onText }: RetentionFieldProps) {
  const [name, about] = CLASSES[kept.class];
  return (
    <div className="retention-row">
      <Field
        label={name}
        type="number"
        unit="days"
        inputMode="numeric"
        min={kept.least}
        max={kept.most}
        placeholder={String(kept.default)}
        value={text}
        onChange={(event) => onText(event.target.value)}
        error={error}
        hint={
          <>
            {about}
            {kept.deleted_at !== null && (
              <>
                {'. '}
                {counted(kept.deleted_rows, 'row')} deleted so far, {kept.left_rows.toLocaleString('en')}{' '}
                left; last <Time value={kept.deleted_at} form="ago" />.
              </>
            )}
          </>
        }
      />
      {!isDefault && (
        <p className="retention-default">
          Default: {kept.default.toLocaleString('en')}
          <button
            type="button"
            className="link-button"
            aria-label={`Reset ${name} to ${kept.default} days`}
            onClick={() => onText(String(kept.default))}
          >
            Reset
          </button>
        </p>
      )}
    </div>
  );
}
