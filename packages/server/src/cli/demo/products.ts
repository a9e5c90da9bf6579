/** What the demo's shop sells. */

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: string;
  readonly text: string;
}

/** By slug: `/products/{slug}`. The best known come first. */
export const PRODUCTS: ReadonlyMap<string, Product> = new Map(
  Object.entries({
    'ghost-light': {
      sku: 'GL-1',
      name: 'Ghost light',
      price: '€ 149',
      text: 'The single bare lamp on a stand that a theatre leaves burning on its empty stage. Cast iron base, brass stem, caged bulb, five metres of cloth cable.',
    },
    'brass-desk-lamp': {
      sku: 'BD-2',
      name: 'Brass desk lamp',
      price: '€ 89',
      text: 'A prompter’s lamp for an ordinary desk: narrow cone, no glare, a switch that can be found in the dark.',
    },
    'stage-lantern': {
      sku: 'SL-3',
      name: 'Stage lantern',
      price: '€ 219',
      text: 'A fresnel of the old kind with a new source in it. Soft edge, hung or standing, quiet enough for a reading.',
    },
    'edison-bulb-set': {
      sku: 'EB-4',
      name: 'Edison bulb set',
      price: '€ 32',
      text: 'Six bulbs with visible filaments, 2,200 kelvin, dimmable to nothing.',
    },
    'music-stand-light': {
      sku: 'MS-5',
      name: 'Music stand light',
      price: '€ 39',
      text: 'Clips onto any stand and lights two pages and no face. Eleven hours on one charge, which is the longest opera and its intervals.',
    },
    'two-channel-dimmer': {
      sku: 'DM-6',
      name: 'Two-channel dimmer',
      price: '€ 129',
      text: 'Two faders in a steel box, 500 watts each. Does not hum, and remembers nothing.',
    },
    'festoon-string': {
      sku: 'FS-7',
      name: 'Festoon string',
      price: '€ 74',
      text: 'Twenty sockets on fifteen metres of rubber cable, for courtyards and for the last scene of a comedy.',
    },
    'cue-light-pair': {
      sku: 'CL-8',
      name: 'Pair of cue lights',
      price: '€ 96',
      text: 'One red, one green, forty metres apart. The crew in the wings knows when.',
    },
    'lantern-stand': {
      sku: 'LS-9',
      name: 'Lantern stand',
      price: '€ 58',
      text: 'Up to 2.6 metres, folds into a bag, carries twelve kilos without leaning.',
    },
    'colour-gel-book': {
      sku: 'CG-10',
      name: 'Book of colour gels',
      price: '€ 24',
      text: 'Sixty sheets to lay before a lens, each with its number and what it does to skin.',
    },
    'safety-cord-set': {
      sku: 'SC-11',
      name: 'Set of safety cords',
      price: '€ 19',
      text: 'Six steel cords for whatever hangs above people. Tested to thirty kilos, one by one.',
    },
    'cloth-cable': {
      sku: 'CC-12',
      name: 'Cloth cable, ten metres',
      price: '€ 28',
      text: 'Three wires in black cotton, as the ghost light has it. Lies flat and does not shine.',
    },
  }),
);
