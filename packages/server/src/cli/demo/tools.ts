/** The tools that the demo's shop offers to agents, in the short form that the editor takes too. */
import { HOST } from './shop.ts';

export const TOOLS = [
  {
    name: 'search_products',
    title: 'Search the shop',
    description: 'Full-text search in the catalogue. Returns products with name, price and page.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'A few words', minLength: 1, maxLength: 200 } },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    page: `https://${HOST}/search`,
  },
  {
    name: 'add_to_cart',
    title: 'Add to cart',
    description: 'Puts a product into the cart of the visitor. The sku is on the product page.',
    inputSchema: { sku: 'string', quantity: 'number' },
    page: `https://${HOST}/cart`,
  },
  {
    name: 'ask_the_shop',
    title: 'Ask the shop',
    description: 'Sends a question to the people of the shop, who answer by email within a working day.',
    inputSchema: { email: 'string', message: 'string' },
    page: `https://${HOST}/contact`,
  },
] as const;
