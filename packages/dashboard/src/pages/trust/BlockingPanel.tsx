import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useItsTurn } from '../../features/page/rest.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { countText } from '../../features/reports/figures.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Segments, Switch } from '../../parts/Switch.tsx';
import { ErrorState, failed, Skeleton } from '../../parts/states.tsx';

type Answer = ReportAnswer<'trust/blocking'>;
type Bot = Answer['bots'][number];
type Target = Answer['targets'][number];

const NAMES: readonly (readonly [Target['target'], string])[] = [
  ['cloudflare', 'Cloudflare'],
  ['nginx', 'nginx'],
  ['apache', 'Apache'],
  ['caddy', 'Caddy'],
  ['robots', 'robots.txt'],
];

/** Where the rule goes, and what it can't do there. */
const LIMITS: Readonly<Record<Target['target'], readonly string[]>> = {
  cloudflare: [
    'Create a custom rule under Security with the action Block and paste the expression. If there is an IP list, create it first under that name.',
    'The rule matches a name anywhere in the user agent, because regular expressions need a Business plan. Crawlers that Cloudflare knows are never blocked.',
  ],
  nginx: [
    'nginx must see the visitor’s address. Behind a proxy or CDN, set real_ip_header and set_real_ip_from first; otherwise genuine crawlers are blocked too.',
  ],
  apache: [
    'Needs mod_authz_host. Behind a proxy or CDN, set up mod_remoteip first; otherwise genuine crawlers are blocked too.',
  ],
  caddy: [
    'Behind a proxy or CDN, set trusted_proxies and use client_ip instead of remote_ip (Caddy 2.7 or later); otherwise genuine crawlers are blocked too.',
  ],
  robots: [
    'robots.txt can’t block an impersonator: the genuine crawler would obey it, and the impersonator doesn’t read it.',
  ],
};
const FOR_ALL = [
  'Vendors add addresses, so copy the rule again every week, or read it from the API.',
  'No rule catches an impersonator that changes its name or sends from a vendor’s own addresses.',
];

const LEFT_OUT: Readonly<Record<Exclude<Bot['state'], 'ok'>, string>> = {
  no_ranges: 'the vendor publishes no addresses',
  not_loaded: 'its addresses have not been loaded yet',
  incomplete: 'its known addresses are incomplete',
  outdated: 'its addresses were loaded more than 7 days ago',
  signed: 'some of its genuine visits are proven by a signature, from any address',
};

/** A rule to copy, and what it would have done in the period. */
export function BlockingPanel({
  property,
  query,
}: {
  property: Property;
  query: Readonly<Record<string, string>>;
}) {
  const [chosen, setChosen] = useState<Target['target']>('cloudflare');
  const [isAll, setAll] = useState(false);
  const asked = { ...query, ...(isAll ? { cover: 'all' } : {}) };
  const box = useRef<HTMLElement>(null);
  const report = useQuery({ ...reportQuery(property.id, 'trust/blocking', asked), enabled: useItsTurn(box) });
  return (
    <section ref={box} className="card panel" aria-label="Block impersonators">
      <header className="panel-head">
        <h2>Block impersonators</h2>
        <Segments legend="Where to block" value={chosen} options={NAMES} onChoose={setChosen} />
      </header>
      {report.isPending && <Skeleton lines={4} label="Loading the rule" />}
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined && (
        <>
          <Switch
            label="Cover every bot with published addresses"
            hint="Off: only the bots that were impersonated in this period."
            on={isAll}
            onSwitch={setAll}
          />
          <Rule answer={report.data} chosen={chosen} />
        </>
      )}
    </section>
  );
}

function Rule({ answer, chosen }: { answer: Answer; chosen: Target['target'] }) {
  const target = answer.targets.find(({ target }) => target === chosen);
  if (target === undefined) return null;
  const leftOut = answer.bots.filter(({ state }) => state !== 'ok');
  return (
    <>
      {target.parts.length > 0 ? (
        <Effect target={target} bots={answer.bots} />
      ) : (
        chosen !== 'robots' && (
          <p className="quiet">
            {answer.bots.length === 0
              ? 'No bot was impersonated in this period, so there is nothing to block.'
              : 'No bot can be covered, so there is no rule.'}
          </p>
        )
      )}
      {chosen === 'robots' ? (
        <p className="quiet">{LIMITS.robots.join(' ')}</p>
      ) : (
        <details className="notes">
          <summary>Before you use it</summary>
          <ul className="notes-list">
            {[...LIMITS[chosen], ...(target.parts.length > 0 ? FOR_ALL : [])].map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {target.parts.map(({ place, text }) => (
        <CodeBlock key={place} folds title={place} what={`the rule: ${place}`} code={text} />
      ))}
      {chosen !== 'robots' && leftOut.length > 0 && (
        <p className="quiet">
          Left out:{' '}
          {leftOut.map(({ bot, state }) => `${bot} (${state === 'ok' ? '' : LEFT_OUT[state]})`).join('; ')}.
        </p>
      )}
    </>
  );
}

function Effect({ target, bots }: { target: Target; bots: readonly Bot[] }) {
  const covered = bots.filter(({ bot }) => target.bots.includes(bot));
  const only = covered.length === 1 ? covered[0]?.bot : undefined;
  const of = only === undefined ? {} : { bot: only };
  return (
    <dl className="stat-strip" aria-label="What the rule would have blocked">
      <div className="stat">
        <dt>Would have been blocked</dt>
        <dd>
          <VisitsLink narrow={{ ...of, verdict: 'spoofed' }} of="that are spoofed">
            {countText(target.blocked)}
          </VisitsLink>
          <p className="stat-note">
            spoofed visits using {counted(covered.length, 'name')}: {target.bots.join(', ')}
          </p>
        </dd>
      </div>
      <div className="stat">
        <dt>Verified, blocked</dt>
        <dd>
          {countText(target.verified)}
          <p className="stat-note">published addresses are always let through</p>
        </dd>
      </div>
      <div className="stat">
        <dt>Unknown</dt>
        <dd>
          <VisitsLink narrow={{ ...of, verdict: 'unknown' }} of="that are unknown">
            {countText(target.unknown)}
          </VisitsLink>
          <p className="stat-note">address could not be checked: may be blocked</p>
        </dd>
      </div>
    </dl>
  );
}
