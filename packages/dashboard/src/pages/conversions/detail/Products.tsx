import type { Product } from '../../../features/conversions/api.ts';
import { formatMoney } from '../../../features/conversions/money.ts';
import { visible } from '../../../format/visible.ts';

/** A sender may list hundreds: the first tell what was bought. */
const SHOWN = 50;

export function Products({ products, currency }: { products: readonly Product[]; currency: string | null }) {
  if (products.length === 0) return null;
  return (
    <section>
      <h3>Products</h3>
      <ul className="products">
        {products.slice(0, SHOWN).map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order may list the same product twice
          <li key={index}>
            <span className="number">{product.quantity ?? 1} ×</span>
            <span className="break">
              {visible(product.name || product.id || 'unnamed')}
              {product.name && product.id && <code className="quiet"> {visible(product.id)}</code>}
            </span>
            <span className="number products-price">
              {product.price === null || product.price === undefined
                ? ''
                : formatMoney({ value: String(product.price), currency: currency ?? '' })}
            </span>
          </li>
        ))}
      </ul>
      {products.length > SHOWN && <p className="quiet">and {products.length - SHOWN} more</p>}
    </section>
  );
}
