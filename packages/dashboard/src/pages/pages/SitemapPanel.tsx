import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { ForWhoMay } from '../../features/session/ForWhoMay.tsx';
import { Field } from '../../parts/Field.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { Time } from '../../parts/Time.tsx';
import type { Sitemap } from './kinds.ts';

/** Why a sitemap could not be read, and what to do about it. */
const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'The host took too long to answer.',
  too_large: 'It is larger than we read (50,000 addresses).',
  unreachable: 'The host could not be reached.',
  private_address: 'Its name leads into a private network.',
  redirected: 'It redirects to another site; give the final address.',
  not_https: 'It has to be an https address.',
  not_a_sitemap: 'What is there is no sitemap.',
  empty: 'It lists no page of this property.',
  no_sitemap: 'Neither robots.txt names one, nor is there a /sitemap.xml.',
};

const SITEMAP = '/api/v1/properties/{id}/reports/sitemap';

/** Where the sitemap is read from, how that went, and how to change it. */
export function SitemapPanel({ property, sitemap }: { property: Property; sitemap: Sitemap }) {
  const client = useQueryClient();
  const [url, setUrl] = useState(sitemap.configured_url ?? '');
  const settle = () => client.invalidateQueries({ queryKey: ['report', property.id, 'pages/unread'] });
  const save = useMutation({
    mutationFn: (address: string | null) =>
      call('PUT', SITEMAP, { params: { id: property.id }, body: { url: address } }),
    onSuccess: settle,
  });
  const refresh = useMutation({
    mutationFn: () => call('POST', `${SITEMAP}/refresh`, { params: { id: property.id } }),
    onSuccess: settle,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(url.trim() === '' ? null : url.trim());
  };
  const failure = save.error;
  return (
    <section className="card panel" aria-label="Sitemap">
      <header className="panel-head">
        <div>
          <h2>Sitemap</h2>
          <p className="aside">
            <SitemapState sitemap={sitemap} />
          </p>
          {refresh.error !== null && (
            <p className="field-error" role="alert">
              {refresh.error.message}
            </p>
          )}
        </div>
        <ForWhoMay>
          <button
            type="button"
            className="button button-small"
            disabled={refresh.isPending || sitemap.state === 'waiting'}
            onClick={() => refresh.mutate()}
          >
            Read it now
          </button>
        </ForWhoMay>
      </header>
      <ForWhoMay>
        <form className="sitemap-form" onSubmit={submit}>
          <Field
            label="Address"
            type="url"
            placeholder={sitemap.url ?? `https://${property.domain}/sitemap.xml`}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            hint="Left empty: the one that robots.txt names, else /sitemap.xml. It is read once a day."
            error={failure instanceof ApiError ? (failure.field('url') ?? failure.message) : undefined}
          />
          <button type="submit" className="button" disabled={save.isPending}>
            Save
          </button>
        </form>
      </ForWhoMay>
    </section>
  );
}

function SitemapState({
  sitemap: { state, url, pages, fetched_at, error, truncated },
}: {
  sitemap: Sitemap;
}) {
  switch (state) {
    case 'none':
      return <Mark tone="off" title="Not read yet" />;
    case 'waiting':
      return <Mark tone="wait" title="Being read…" />;
    case 'failed':
      return (
        <>
          <Mark tone="bad" title="Could not be read" />{' '}
          {ERRORS[error ?? ''] ??
            `The host answered ${error?.replace('http_', '') ?? 'something unexpected'}.`}
          {pages > 0 && ` The ${addressesOf(pages)} of the last good reading are used.`}
        </>
      );
    case 'ok':
      return (
        <>
          <Mark tone="good" title={addressesOf(pages)} /> from <span className="mono break">{url}</span>,{' '}
          <Time value={fetched_at} form="ago" />
          {truncated && '. It lists more than we read; the rest is left out.'}
        </>
      );
  }
}

const addressesOf = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'address' : 'addresses'}`;
