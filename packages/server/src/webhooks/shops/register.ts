/** Every shop platform. To add one: a file with a `ShopPlatform`, its name in `SHOP_NAMES`, a line here, and a section in docs/shops.md. */
import type { ShopName, ShopPlatform } from './platform.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

export const SHOPS: readonly ShopPlatform[] = [woocommerce, shopify];

export function shopCalled(name: ShopName): ShopPlatform {
  const platform = SHOPS.find((one) => one.name === name);
  if (platform === undefined) throw new Error(`no shop platform ${name}`);
  return platform;
}
