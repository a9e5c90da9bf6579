/** What the service has to know of a shop platform: names, and how its deliveries are read. Pure. */
import type { Message } from './message.ts';
import type { Raw } from './untrusted.ts';

export const SHOP_NAMES = ['woocommerce', 'shopify'] as const;
export type ShopName = (typeof SHOP_NAMES)[number];

export interface ShopPlatform {
  /** In addresses. */
  readonly name: ShopName;
  readonly title: string;
  /** Names of headers. */
  readonly headers: {
    /** Base64 of the HMAC-SHA256 of the body as it was sent. */
    readonly signature: string;
    readonly topic: string;
    /** Names a delivery; shown to people only. */
    readonly delivery: string;
    /** `true` in a delivery that is only a test; null: the platform has no such header. */
    readonly test: string | null;
  };
  /** The platform shows a secret of its own; otherwise the owner may enter one there. */
  readonly makesSecret: boolean;
  /** Topic → what its body says. Every other topic is answered with 200 and counted. */
  readonly topics: Readonly<Record<string, (body: Raw) => Message>>;
  /** Topics to set up: together they tell everything that is counted. */
  readonly advised: readonly string[];
  /** Whether an unsigned body only tests the address. */
  readonly isPing: (text: string) => boolean;
}
