/** Runs the vectors of conversions. One runner for Node, workerd and every other runtime that must agree. */
import {
  addDecimal,
  attribute,
  type Channel,
  CREDIT_MODELS,
  compileReferrers,
  conversionBody,
  credit,
  DAY_MS,
  decimalOf,
  describeArrival,
  embeddedLists,
  isTopic,
  multiplyByShares,
  needsTouch,
  readBrowserEvent,
  readConversion,
  subtractDecimal,
  type Touch,
} from '../src/index.ts';
import attributionVectors from './conversion-attribution.json' with { type: 'json' };
import channelVectors from './conversion-channels.json' with { type: 'json' };
import eventVectors from './conversion-events.json' with { type: 'json' };
import moneyVectors from './conversion-money.json' with { type: 'json' };

export interface ConversionVectorReport {
  ran: number;
  failures: string[];
}

type Check = (what: string, expected: unknown, actual: unknown) => void;

export function runConversionVectors(): ConversionVectorReport {
  const report: ConversionVectorReport = { ran: 0, failures: [] };
  const check: Check = (what, expected, actual) => {
    report.ran++;
    const [wanted, found] = [sorted(expected), sorted(actual)];
    if (wanted !== found) report.failures.push(`${what}: expected ${wanted}, got ${found}`);
  };
  runWebhooks(check);
  runBrowserEvents(check);
  runMoney(check);
  runChannels(check);
  runAttribution(check);
  return report;
}

/** JSON whose members are in order, so that only their values count. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

const places = (problems: readonly { pointer: string }[]): string[] => problems.map(({ pointer }) => pointer);

function runWebhooks(check: Check): void {
  for (const vector of eventVectors.webhook) {
    if (!isTopic(vector.topic)) {
      check(`webhook: ${vector.why}`, 'a topic', vector.topic);
      continue;
    }
    const body: unknown = 'text' in vector ? JSON.parse(vector.text) : vector.body;
    const reading = readConversion(vector.topic, body);
    const found =
      'errors' in reading
        ? { errors: places(reading.errors) }
        : { body: conversionBody(reading.event), warnings: places(reading.warnings) };
    check(`webhook: ${vector.why}`, vector.expect, found);
  }
}

/** Of an event the vector names the members that are not null, false or empty. */
function runBrowserEvents(check: Check): void {
  for (const { why, value, expect } of eventVectors.browser) {
    const reading = readBrowserEvent(value);
    const found =
      'errors' in reading
        ? { errors: places(reading.errors) }
        : { event: said(reading.event), warnings: places(reading.warnings) };
    check(`browser event: ${why}`, expect, found);
  }
}

function said(event: object): object {
  const isSaid = (value: unknown): boolean =>
    value !== null && value !== false && (typeof value !== 'object' || Object.keys(value).length > 0);
  return Object.fromEntries(Object.entries(event).filter(([, value]) => isSaid(value)));
}

function runMoney(check: Check): void {
  for (const { input, decimal } of moneyVectors.decimals)
    check(`decimal ${JSON.stringify(input)}`, decimal, decimalOf(input));
  for (const { a, b, sum, difference } of moneyVectors.sums)
    check(`${a} and ${b}`, [sum, difference], [addDecimal(a, b), subtractDecimal(a, b)]);
  for (const { amount, shares, digits, parts } of moneyVectors.divisions)
    check(`${amount} by ${shares}`, parts, multiplyByShares(amount, shares, digits));
}

function runChannels(check: Check): void {
  const aiReferrers = compileReferrers(embeddedLists());
  for (const { why, location, referrer, expect } of channelVectors.cases) {
    const ownDomains = channelVectors.own_domains;
    check(`channel: ${why}`, expect, describeArrival({ location, referrer, aiReferrers, ownDomains }));
  }
}

function runAttribution(check: Check): void {
  for (const vector of attributionVectors.attribution) {
    const touches = vector.touches.map(touchOf);
    const at = Date.parse(vector.at);
    const { winner, window } = attribute(touches, at, vector.lookback_days * DAY_MS);
    check(`winner: ${vector.why}`, vector.winner, winner?.id ?? null);
    check(
      `window: ${vector.why}`,
      vector.window,
      window.map(({ id }) => id),
    );
    const credits = CREDIT_MODELS.map((model) => [model, Object.fromEntries(credit(window, model))]);
    check(`credit: ${vector.why}`, vector.credit, Object.fromEntries(credits));
  }
  for (const { why, previous, arrival, first_of_session, needs_touch } of attributionVectors.touch_rule)
    check(`touch: ${why}`, needs_touch, needsTouch(previous, arrival, first_of_session));
}

interface TouchVector {
  id: string;
  /** RFC 3339. */
  at: string;
  channel: string;
  paid: boolean;
}

/** A touch of which nothing matters but when, what and whether it was paid. */
export function touchOf({ id, at, channel, paid }: TouchVector): Touch {
  return {
    id,
    at: Date.parse(at),
    sessionId: '',
    landing: { host: 'shop.example', path: '/' },
    referrerHost: '',
    utm: {},
    clickIds: {},
    browserIds: {},
    channel: channel as Channel,
    platform: null,
    paid,
    source: '',
    medium: '',
    campaign: '',
    conflict: false,
  };
}
