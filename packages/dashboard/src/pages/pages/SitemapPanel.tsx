import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, call } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { Field } from '../../parts/Field.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { Time } from '../../parts/Time.tsx';
import type { Sitemap } from './kinds.ts';

/** Why a sitemap could not be read, and what to do. */
const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'The host took too long to answer.',
  too_large: 'It is larger than the limit of 50,000 URLs.',
  unreachable: 'The host could not be reached.',
  private_address: 'Its name resolves to a private address.',
  redirected: 'It redirects to another site; enter the final URL.',
  not_https: 'It must be an https URL.',
  not_a_sitemap: 'The URL is not a sitemap.',
  empty: 'It lists no pages of this property.',
  no_sitemap: 'robots.txt names no sitemap, and there is no /sitemap.xml.',
};

const SITEMAP = '/api/v1/properties/{id}/reports/sitemap';

/** The sitemap's URL, its status, and a form to change it. */
export function SitemapPanel({ property, sitemap }: { property: Property; sitemap: Sitemap }) {
  const client = useQueryClient();
  // Without one, its address is what the page needs.
  const [isOpen, setOpen] = useState(sitemap.pages === 0);
  const formId = useId();
  const [url, setUrl] = useState(sitemap.configured_url ?? '');
  const settle = () => client.invalidateQueries({ queryKey: ['report', property.id, 'pages/unread'] });
  const save = useMutation({
    mutationFn: (address: string | null) =>
      call('PUT', SITEMAP, { params: { id: property.id }, body: { url: address } }),
    onSuccess: () => {
      setOpen(false);
      return settle();
    },
  });
  const refresh = useMutation({
    mutationFn: () => call('POST', `${SITEMAP}/refresh`, { params: { id: property.id } }),
    // Also when it is refused: someone else, or the night's reading, was faster.
    onSettled: settle,
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
          <p className="aside sitemap-state">
            <SitemapState sitemap={sitemap} />
          </p>
          {refresh.error !== null && (
            <p className="field-error" role="alert">
              {refresh.error.message}
            </p>
          )}
        </div>
        <RequirePermission>
          <div className="panel-actions">
            <button
              type="button"
              className="button button-small"
              aria-expanded={isOpen}
              aria-controls={formId}
              onClick={() => setOpen(!isOpen)}
            >
              Change address
            </button>
            <button
              type="button"
              className="button button-small"
              disabled={refresh.isPending || sitemap.state === 'waiting'}
              onClick={() => refresh.mutate()}
            >
              Fetch now
            </button>
          </div>
        </RequirePermission>
      </header>
      <RequirePermission>
        <form id={formId} className="sitemap-form" hidden={!isOpen} onSubmit={submit}>
          <Field
            label="Address"
            type="url"
            placeholder={sitemap.url ?? `https://${property.domain}/sitemap.xml`}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            hint="If empty, Ghostlight looks in robots.txt, then at /sitemap.xml. It reads the sitemap once a day."
            error={failure instanceof ApiError ? (failure.field('url') ?? failure.message) : undefined}
          />
          <button type="submit" className="button" disabled={save.isPending}>
            Save
          </button>
        </form>
      </RequirePermission>
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
      return <Mark tone="wait" title="Reading…" />;
    case 'failed':
      return (
        <>
          <Mark tone="bad" title="Could not be read" />{' '}
          {ERRORS[error ?? ''] ??
            `The host answered ${error?.replace('http_', '') ?? 'something unexpected'}.`}
          {pages > 0 && ` This report uses the ${pagesOf(pages)} from the last successful read.`}
        </>
      );
    case 'ok':
      return (
        <>
          <Mark tone="good" title={pagesOf(pages)} /> from <span className="mono break">{url}</span>,{' '}
          <Time value={fetched_at} form="ago" />
          {truncated && '. It exceeds the limit of 50,000 URLs; the rest is left out.'}
        </>
      );
  }
}

const pagesOf = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'page' : 'pages'}`;
