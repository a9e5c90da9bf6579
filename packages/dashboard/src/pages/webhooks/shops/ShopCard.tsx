import type { Property } from '../../../api/types.ts';
import { CompanyMark } from '../../../features/marks/CompanyMark.tsx';
import { isOutOfReach } from '../../../features/property/out-of-reach.ts';
import { Snippet } from '../../../features/property/Snippet.tsx';
import type { Shop } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { IconInfo } from '../../../parts/icons.tsx';
import { Step } from '../../../parts/Section.tsx';
import { Time } from '../../../parts/Time.tsx';
import { ShopSecret } from './ShopSecret.tsx';
import { SHOPIFY_THEME, WOOCOMMERCE_FUNCTIONS } from './snippets.ts';

/** Where things are at each platform. */
const PLACES: Readonly<
  Record<
    Shop['platform'],
    {
      /** What a person needs there to set it up. */
      readonly needs: string;
      /** What is done there, once the secret is entered here. */
      readonly snippet: string;
      readonly menu: string;
      readonly visitor: { title: string; about: string; code: string };
    }
  >
> = {
  woocommerce: {
    needs: 'You need admin access to the shop and a child theme.',
    snippet: 'Add a snippet to the child theme: it puts the visitor ID into each order.',
    menu: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook, one for each topic',
    visitor: {
      title: 'functions.php of the child theme',
      about: 'The checkout stores the browser script’s cookie with the order, as visitor_id:',
      code: WOOCOMMERCE_FUNCTIONS,
    },
  },
  shopify: {
    needs: 'You need permission to edit notifications and themes in Shopify.',
    snippet: 'Add a snippet to the theme: it puts the visitor ID into each order.',
    menu: 'Settings → Notifications → Webhooks → Create webhook, one for each topic, with the format JSON',
    visitor: {
      title: 'theme.liquid, after the browser script and before </body>',
      about: 'The cart gets an attribute, which Shopify passes on with the order:',
      code: SHOPIFY_THEME,
    },
  },
};

interface ShopCardProps {
  property: Property;
  shop: Shop;
  /** Its setup is shown. */
  isOpen: boolean;
  onToggle: () => void;
}

/** A row with a button for its setup; once it is connected, with its deliveries too. */
export function ShopCard({ property, shop, isOpen, onToggle }: ShopCardProps) {
  const { title, connected, topics, endpoint } = shop;
  const { menu, visitor } = PLACES[shop.platform];
  // Its address comes first: until then the steps are there to be read.
  const isBlocked = !connected && isOutOfReach(endpoint);
  return (
    <section className="card shop" aria-label={title} data-open={isOpen || connected}>
      <header className="shop-head">
        <CompanyMark of={title} size={36} />
        <h2>{title}</h2>
        <span className="state-mark" data-state={connected ? 'on' : 'off'}>
          <span className="state-lamp" aria-hidden="true" />
          {connected ? 'Connected' : 'Not connected'}
        </span>
        <button
          type="button"
          className={connected || isOpen || isBlocked ? 'button' : 'button button-primary'}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          {isOpen ? 'Close' : connected ? 'Setup' : 'Connect'}
          <span className="visually-hidden"> {title}</span>
        </button>
      </header>
      {!connected && !isOpen && <Plan shop={shop} />}
      {connected && <Deliveries shop={shop} />}
      {connected && <WhyNothing shop={shop} />}
      {isOpen && (
        <div className="setup-steps">
          <Step number={1} title="Signing secret">
            <ShopSecret property={property} shop={shop} />
          </Step>
          <Step number={2} title={`Webhooks in ${title}`}>
            <p>{menu}:</p>
            <ul className="shop-topics">
              {topics.map((topic) => (
                <li key={topic}>
                  <code>{topic}</code>
                </li>
              ))}
            </ul>
            <Snippet wrap title="Delivery URL" what={`the delivery URL of ${title}`} code={endpoint} />
          </Step>
          <Step number={3} title="Visitor ID in orders">
            <p>{visitor.about}</p>
            <Snippet title={visitor.title} what={`the code for ${title}`} code={visitor.code} />
          </Step>
        </div>
      )}
    </section>
  );
}

/** What "Set up" leads through, before it is opened. */
function Plan({ shop: { platform, title, topics, makes_secret: isTheirs } }: { shop: Shop }) {
  const { needs, snippet } = PLACES[platform];
  return (
    <>
      <p className="aside">{needs}</p>
      <ol className="shop-plan">
        <li>
          {isTheirs
            ? `Paste ${title}’s webhook signing secret.`
            : 'Generate a signing secret, or enter your own.'}
        </li>
        <li>
          Add {counted(topics.length, 'webhook')} in {title}: {topics.join(', ')}.
        </li>
        <li>{snippet}</li>
      </ol>
    </>
  );
}

const RESULTS: Readonly<Record<keyof Shop['counts'], string>> = {
  stored: 'counted',
  repeated: 'known already',
  ignored: 'nothing to count',
  unusable: 'not usable',
};

function Deliveries({
  shop: { last, counts, refused_at: refusedAt, refused_because: because },
}: {
  shop: Shop;
}) {
  const some = Object.entries(RESULTS).filter(
    ([result]) => (counts[result as keyof Shop['counts']] ?? 0) > 0,
  );
  return (
    <dl className="facts">
      <div>
        <dt>Last delivery</dt>
        <dd>
          {last === null ? (
            'none yet'
          ) : (
            <>
              <Time value={last.at} form="ago" />: <code>{last.topic}</code>, {RESULTS[last.result]}
              {last.detail !== '' && <p className="quiet">{last.detail}</p>}
            </>
          )}
        </dd>
      </div>
      {some.length > 0 && (
        <div>
          <dt>Deliveries</dt>
          <dd>
            {some.map(([result, words]) => `${counts[result as keyof Shop['counts']]} ${words}`).join(', ')}
          </dd>
        </div>
      )}
      {refusedAt !== null && (
        <div>
          <dt>Last refused</dt>
          <dd>
            <Time value={refusedAt} form="ago" />: {because}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What the service knows of a connected shop that shows no orders, the likeliest first. */
export function reasonsOf(shop: Shop): string[] {
  const { last, counts, refused_at: refusedAt, pinged_at: pingedAt, title } = shop;
  if ((counts.stored ?? 0) > 0) return [];
  if (last === null && refusedAt !== null)
    return [`Deliveries arrive, but their signature doesn’t fit: enter the signing secret again.`];
  if (last === null && pingedAt !== null)
    return [`${title} has tested the address. Its first order will be the first delivery.`];
  if (last === null)
    return [
      'Nothing has arrived. Check the delivery URL, and that the service can be reached from the internet.',
      `${title} stops delivering to an address that failed a few times: activate its webhook again.`,
    ];
  return [
    `${counted((counts.ignored ?? 0) + (counts.unusable ?? 0), 'delivery', 'deliveries')} had nothing to count: orders count when they are paid, and test orders never.`,
  ];
}

function WhyNothing({ shop }: { shop: Shop }) {
  const reasons = reasonsOf(shop);
  if (reasons.length === 0) return null;
  return (
    <div className="notice shop-why">
      <IconInfo />
      <div>
        <h3>Why nothing shows</h3>
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
