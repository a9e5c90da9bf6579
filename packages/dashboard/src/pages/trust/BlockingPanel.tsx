import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { saveBlob } from '../../features/charts/save.ts';
import { useItsTurn } from '../../features/page/rest.ts';
import { useAsked } from '../../features/page/useAsked.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { countText } from '../../features/reports/figures.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { IconDownload } from '../../parts/icons.tsx';
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

/** Why a rule does not cover a bot. */
const LEFT_OUT: Readonly<Record<Target['left_out'][number]['why'], string>> = {
  no_ranges: 'The vendor publishes no addresses.',
  not_loaded: 'Its addresses have not been loaded yet.',
  incomplete: 'Only part of its addresses is known.',
  outdated: 'Its addresses were loaded more than 7 days ago.',
  signed: 'Some of its genuine visits are proven by a signature, from any address.',
  platform:
    'Cloudflare has verified some of its visits by other means than published addresses. Only a rule at Cloudflare lets these through.',
};

export const BLOCKING_ID = 'block-impersonators';

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
  useAsked('block', () => box.current?.scrollIntoView());
  const report = useQuery({ ...reportQuery(property.id, 'trust/blocking', asked), enabled: useItsTurn(box) });
  return (
    <section ref={box} id={BLOCKING_ID} className="card panel" aria-label="Block impersonators" tabIndex={-1}>
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
            hint="Off: only bots that impersonators have named, in this period or before."
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
  if (chosen === 'robots') return <p className="quiet">{LIMITS.robots.join(' ')}</p>;
  const hasRule = target.parts.length > 0;
  return (
    <>
      {hasRule ? (
        <Effect target={target} bots={answer.bots} />
      ) : (
        <p>
          {answer.bots.length === 0
            ? 'No bot was ever impersonated here, so there is nothing to block.'
            : `There is no safe rule for ${nameOf(chosen)}: it could refuse genuine visits of each bot below.`}
        </p>
      )}
      <details className="notes">
        <summary>Before you use it</summary>
        <ul className="notes-list">
          {[...LIMITS[chosen], ...(hasRule ? FOR_ALL : [])].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
      {target.parts.map((part) => (
        <Part key={part.place} part={part} />
      ))}
      {target.left_out.length > 0 && <LeftOut target={target} bots={answer.bots} />}
    </>
  );
}

const nameOf = (target: Target['target']): string => NAMES.find(([name]) => name === target)?.[1] ?? target;

/** A text to paste. Cloudflare's list of addresses can be uploaded, too: one a line is its form of CSV. */
function Part({ part: { place, text } }: { part: Target['parts'][number] }) {
  const list = /^IP list “(\w+)”$/.exec(place)?.[1];
  return (
    <>
      <CodeBlock folds title={place} what={`the rule: ${place}`} code={text} />
      {list !== undefined && (
        <p className="quiet">
          <button
            type="button"
            className="button button-small"
            onClick={() => saveBlob(new Blob([`${text}\n`], { type: 'text/csv' }), `${list}.csv`)}
          >
            <IconDownload />
            Download the list as CSV
          </button>{' '}
          In Cloudflare, open Manage Account › Configurations › Lists, create the list and upload the file.
        </p>
      )}
    </>
  );
}

/** Bots that the rule does not cover, and why. */
function LeftOut({ target, bots }: { target: Target; bots: readonly Bot[] }) {
  return (
    <div className="left-out">
      <h3>Not in the rule</h3>
      <ul>
        {target.left_out.map(({ bot, why }) => {
          const spoofed = bots.find((one) => one.bot === bot)?.spoofed ?? 0;
          return (
            <li key={bot}>
              <span>
                {bot}
                {spoofed > 0 && (
                  <span className="cell-detail">
                    <VisitsLink narrow={{ bot, verdict: 'spoofed' }} of={`that used the name ${bot}`}>
                      {countText(spoofed)} spoofed
                    </VisitsLink>
                  </span>
                )}
              </span>
              <span className="quiet">{LEFT_OUT[why]}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Effect({ target, bots }: { target: Target; bots: readonly Bot[] }) {
  const covered = bots.filter(({ bot }) => target.bots.includes(bot));
  const only = covered.length === 1 ? covered[0]?.bot : undefined;
  const of = only === undefined ? {} : { bot: only };
  const spoofed = bots.reduce((sum, bot) => sum + bot.spoofed, 0);
  const missed = spoofed - target.blocked;
  return (
    <dl className="stat-strip" aria-label="What the rule would have blocked">
      <div className="stat">
        <dt>Would have been blocked</dt>
        <dd>
          <VisitsLink narrow={{ ...of, verdict: 'spoofed' }} of="that are spoofed">
            {countText(target.blocked)}
          </VisitsLink>
          <p className="stat-note">
            of {countText(spoofed)} spoofed visits.{' '}
            {missed >= 1 && `The other ${countText(missed)} used names that are not in the rule. `}
            It covers {target.bots.join(', ')}.
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
