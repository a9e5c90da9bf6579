/** Templates of common tools. Their descriptions tell an agent when to call the tool, what it returns and what it does not do. */
import type { Tool } from '../types.ts';

export interface Template {
  readonly id: string;
  readonly label: string;
  /** Shown in the menu of templates. */
  readonly about: string;
  readonly tool: (host: string) => Tool;
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'search',
    label: 'Search',
    about: 'Find products or pages by words.',
    tool: (host) => ({
      name: 'search_products',
      title: 'Search products',
      description:
        'Search the catalogue by words. Use it to find products by name, brand, kind or need before anything else. Returns up to 20 products with sku, name, price, availability and address.',
      inputSchema: object(
        {
          query: text('What to look for, in a few words.', { minLength: 1, maxLength: 200 }),
          category: text('Only products of this category.', { maxLength: 100 }),
          max_price: { type: 'integer', description: 'Only products up to this price.', minimum: 0 },
        },
        ['query'],
      ),
      annotations: { readOnlyHint: true },
      page: `https://${host}/search`,
    }),
  },
  {
    id: 'add-to-cart',
    label: 'Add to cart',
    about: 'Put a product into the visitor’s cart.',
    tool: (host) => ({
      name: 'add_to_cart',
      title: 'Add to cart',
      description:
        'Put a product into the cart of this visit. Needs the sku that search_products returned. Returns the cart with its total; nothing is ordered or paid.',
      inputSchema: object(
        {
          sku: text('The product’s sku, as search_products returned it.', { minLength: 1, maxLength: 64 }),
          quantity: { type: 'integer', description: 'How many.', minimum: 1, maximum: 99 },
        },
        ['sku', 'quantity'],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      page: `https://${host}/cart`,
    }),
  },
  {
    id: 'booking',
    label: 'Booking',
    about: 'Reserve a table, a room or an appointment.',
    tool: (host) => ({
      name: 'request_booking',
      title: 'Request a booking',
      description:
        'Ask for a booking on a date and time for a number of people. Confirm the details with the user first. Returns whether it is free and a reference; the place confirms by email.',
      inputSchema: object(
        {
          date: text('Day of the booking, YYYY-MM-DD.', { format: 'date' }),
          time: text('Local time of the place, 24 hours, HH:MM.', {
            pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
          }),
          party_size: { type: 'integer', description: 'How many people come.', minimum: 1, maximum: 20 },
          name: text('Name that the booking is for.', { minLength: 1, maxLength: 100 }),
          email: text('Where the confirmation goes.', { format: 'email', maxLength: 254 }),
          note: text('Allergies, a high chair, anything the place should know.', { maxLength: 500 }),
        },
        ['date', 'time', 'party_size', 'name', 'email'],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      page: `https://${host}/book`,
    }),
  },
  {
    id: 'contact',
    label: 'Contact',
    about: 'Send a message to your team.',
    tool: (host) => ({
      name: 'send_message',
      title: 'Contact us',
      description:
        'Send a message to the people behind this site. Show the user the message and get their consent before sending. Returns a reference; an answer comes by email, usually within one working day.',
      inputSchema: object(
        {
          email: text('Where the answer goes.', { format: 'email', maxLength: 254 }),
          topic: text('What it is about.', { enum: ['sales', 'support', 'press', 'other'] }),
          message: text('The message, in the user’s words.', { minLength: 1, maxLength: 4000 }),
        },
        ['email', 'message'],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false },
      page: `https://${host}/contact`,
    }),
  },
];

/** An empty tool with the required members. */
export function blankTool(): Tool {
  return {
    name: 'new_tool',
    description: '',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  };
}

function object(properties: Record<string, unknown>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

function text(description: string, more: Record<string, unknown> = {}) {
  return { type: 'string', description, ...more };
}
