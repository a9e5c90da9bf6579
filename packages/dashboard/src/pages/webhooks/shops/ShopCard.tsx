import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import type { Shop } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { IconInfo } from '../../../parts/icons.tsx';
import { Step } from '../../../parts/Section.tsx';
import { Time } from '../../../parts/Time.tsx';
import { ShopSecret } from './ShopSecret.tsx';
import { SHOPIFY_THEME, WOOCOMMERCE_FUNCTIONS } from './snippets.ts';

/** Where things are at each platform. */
const PLACES: Readonly<
  Record<
    Shop['platform'],
    { readonly menu: string; readonly visitor: { title: string; about: string; code: string } }
  >
> = {
  woocommerce: {
    menu: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook, one for each topic',
    visitor: {
      title: 'functions.php of the child theme',
      about: 'The checkout stores the SDK’s cookie with the order, as visitor_id:',
      code: WOOCOMMERCE_FUNCTIONS,
    },
  },
  shopify: {
    menu: 'Settings → Notifications → Webhooks → Create webhook, one for each topic, with the format JSON',
    visitor: {
      title: 'theme.liquid, after the SDK and before </body>',
      about: 'The cart gets an attribute, which Shopify passes on with the order:',
      code: SHOPIFY_THEME,
    },
  },
};

export function ShopCard({ property, shop }: { property: Property; shop: Shop }) {
  const { menu, visitor } = PLACES[shop.platform];
  // As it was at first: a set-up that is under way must not close when the secret is entered.
  const [isNew] = useState(!shop.connected);
  return (
    <section className="card shop" aria-label={shop.title}>
      <header className="shop-head">
        <h2>{shop.title}</h2>
        <span className="state-mark" data-state={shop.connected ? 'on' : 'off'}>
          <span className="state-lamp" aria-hidden="true" />
          {shop.connected ? 'Connected' : 'Not connected'}
        </span>
      </header>
      <Deliveries shop={shop} />
      <WhyNothing shop={shop} />
      <details open={isNew}>
        <summary>Set up {shop.title}</summary>
        <div className="setup-steps">
          <Step number={1} title={`The secret of ${shop.title}`}>
            <ShopSecret property={property} shop={shop} />
          </Step>
          <Step number={2} title={`Webhooks of ${shop.title}`}>
            <OutOfReach address={shop.endpoint} what="orders" />
            <p>{menu}:</p>
            <ul className="shop-topics">
              {shop.topics.map((topic) => (
                <li key={topic}>
                  <code>{topic}</code>
                </li>
              ))}
            </ul>
            <CodeBlock
              wrap
              title={`Delivery URL of ${shop.title}`}
              what={`the delivery URL of ${shop.title}`}
              code={shop.endpoint}
            />
          </Step>
          <Step number={3} title={`Add the visitor to orders of ${shop.title}`}>
            <p>{visitor.about}</p>
            <CodeBlock title={visitor.title} what={`the code for ${shop.title}`} code={visitor.code} />
          </Step>
        </div>
      </details>
    </section>
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

/** What the service knows of a shop that shows no orders, the likeliest first. */
export function reasonsOf(shop: Shop): string[] {
  const { connected, last, counts, refused_at: refusedAt, pinged_at: pingedAt, title } = shop;
  if (!connected) return ['No secret is entered: every delivery is refused.'];
  if ((counts.stored ?? 0) > 0) return [];
  if (last === null && refusedAt !== null)
    return [`Deliveries arrive, but their signature doesn’t fit: enter the secret of ${title} again.`];
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
