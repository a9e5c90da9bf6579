/** What the demo's shop says, besides what it sells (`products.ts`). */

export const HOST = 'shop.example';

export interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** What lamps and their parts are called: `/lexicon/{slug}`, a sentence or two each. */
export const LEXICON: ReadonlyMap<string, Page> = mapOf({
  'barn-door': entry(
    'Barn door',
    'Four hinged flaps before a lantern, which cut its light off where it is not wanted.',
  ),
  'black-out': entry('Black-out', 'All lamps off at once. The ghost light is what is lit when it is over.'),
  'cue-light': entry(
    'Cue light',
    'A small lamp beside the stage that says “ready” and then, by going out, “now”.',
  ),
  cyclorama: entry('Cyclorama', 'The curved cloth at the back which becomes whatever sky it is lit as.'),
  dimmer: entry('Dimmer', 'What stands between the mains and a lamp and lets less of it through.'),
  'follow-spot': entry('Follow spot', 'A lantern with a person behind it, who keeps the actor in the light.'),
  footlights: entry(
    'Footlights',
    'A row of lamps at the edge of the stage. They light chins, and were loved for it.',
  ),
  fresnel: entry('Fresnel', 'A lens cut down to its rings: soft edge, little glass, less heat in the house.'),
  gel: entry('Gel', 'A sheet of colour before the lens. It was gelatine once, and melted.'),
  gobo: entry('Gobo', 'A plate with holes that throws a window, leaves or a city onto the floor.'),
  patch: entry('Patch', 'Which lamp hangs on which dimmer, and the evening that is spent on finding out.'),
  batten: entry('Batten', 'The pipe that lanterns hang from.'),
  'pin-spot': entry('Pin spot', 'A very narrow beam for one face, or for one glass.'),
  scoop: entry('Scoop', 'A bowl with a lamp in it: much light, no edge, nothing to focus.'),
  strike: entry('Strike', 'Taking everything down again after the last evening.'),
  wash: entry('Wash', 'Even light over all of the stage, from which everything else stands out.'),
});

/** Every other page, by its path. */
export const PAGES: ReadonlyMap<string, Page> = mapOf({
  '/guides/how-to-light-a-small-stage': {
    title: 'How to light a small stage',
    paragraphs: [
      'Begin with one lamp and look. Most small stages are lit too much: every lamp that is added takes the shadow of another one away.',
      'Two lanterns from the front at forty-five degrees show a face. A third from behind lifts it off the wall. What is left of the budget goes into a dimmer.',
      'Hang nothing over the audience that is not secured twice.',
    ],
  },
  '/guides/warm-or-cold-light': {
    title: 'Warm or cold light?',
    paragraphs: [
      'Candles burn at 1,900 kelvin, our bulbs at 2,200, a hospital corridor at 4,000. Skin looks rested below 3,000.',
      'Never mix two temperatures in one picture unless the audience is meant to notice.',
    ],
  },
  '/guides/which-dimmer-for-which-lamp': {
    title: 'Which dimmer for which lamp?',
    paragraphs: [
      'A filament takes what it is given. A modern source wants to be asked: look for “trailing edge” on the dimmer, and for a least load that one lamp alone reaches.',
      'What flickers at a tenth is not broken. It is the wrong pair.',
    ],
  },
  '/guides/light-for-a-reading': {
    title: 'Light for a reading',
    paragraphs: [
      'The reader must see the page and the audience the reader. Two lamps do both: one low on the stand, one high from the side.',
      'Switch the ceiling off before anyone asks.',
    ],
  },
  '/guides/hanging-a-lantern-safely': {
    title: 'Hanging a lantern safely',
    paragraphs: [
      'A clamp, a cord, and a second pair of eyes. The cord goes around the pipe and through the yoke, never around the cable.',
      'Stay clear below while work goes on above.',
    ],
  },
  '/blog/why-theatres-leave-one-lamp-on': {
    title: 'Why theatres leave one lamp on',
    paragraphs: [
      'A stage in the dark is a room with a hole in its floor. So the last one out leaves a lamp burning, and the first one in finds the edge.',
      'The story for the tourists is that the ghosts of the house may play by it when everyone has gone.',
    ],
  },
  '/blog/the-history-of-limelight': {
    title: 'The history of limelight',
    paragraphs: [
      'A cylinder of quicklime in a flame of oxygen and hydrogen glows whiter than anything that people had seen on a stage before 1837.',
      'It needed a man beside every lamp. Electric arcs needed none, and by 1900 only the word was left.',
    ],
  },
  '/blog/a-lamp-for-an-empty-stage': {
    title: 'A lamp for an empty stage',
    paragraphs: [
      'Since the spring of 2020 more people than ever have asked us for a ghost light. Most of them had no theatre.',
      'We have not asked what they leave it burning for.',
    ],
  },
  '/blog/what-we-repair-on-fridays': {
    title: 'What we repair on Fridays',
    paragraphs: [
      'Switches, mostly. A lamp lasts as long as the one part that is touched, and that part costs four euros.',
    ],
  },
  '/shipping-and-returns': {
    title: 'Shipping and returns',
    paragraphs: [
      'We send within two working days. What does not please comes back within thirty days, at our cost.',
    ],
  },
  '/pricing': {
    title: 'Prices for theatres and schools',
    paragraphs: [
      'From six lamps on a tenth less, from twenty a fifth. Schools pay what the smallest theatre pays.',
    ],
  },
  '/faq': {
    title: 'Questions',
    paragraphs: [
      'Do the lamps hum? No. Do you repair what others have built? If a screw holds it together. Is there a catalogue on paper? Not since 2019.',
    ],
  },
  '/about': {
    title: 'About us',
    paragraphs: [
      'Four people in a former lamp works. We build what we would leave burning on our own stage.',
    ],
  },
  '/contact': {
    title: 'Ask us',
    paragraphs: ['Write to hello@shop.example. A lamp builder answers within a working day.'],
  },
  '/cart': { title: 'Your cart', paragraphs: ['Nothing is in it yet.'] },
});

function entry(title: string, text: string): Page {
  return { title, paragraphs: [text] };
}

/** Addresses come from outside, and an object answers to `constructor` too. */
function mapOf<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}
