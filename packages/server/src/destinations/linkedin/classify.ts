/**
 * LinkedIn takes a batch whole or not at all. What it refuses it names by index, in a sentence: with 422
 * `Index: 0, ERROR :: /conversionValue/amount :: …` (seen by connectors, documented nowhere), with 400 `…, indices [0] (0-indexed)`.
 */
import type { JsonObject } from '@ghostlight/core';
import {
  batchRefused,
  codeOf,
  forAll,
  integerOf,
  type JsonAnswer,
  jsonOf,
  listOf,
  noVerdict,
  objectOf,
  presentable,
  textOf,
  verdictOfStatus,
} from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** Bounds the search in a text that another side wrote. */
const MAX_TEXT = 200_000;

const RULE_AT_FAULT =
  /method should be CONVERSIONS_API|conversion rule (?:does not exist|is (?:disabled|inactive|not))/i;

export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const { status } = response;
  const answer = jsonOf(response);
  if (status >= 200 && status < 300) return taken(answer, events);
  const words = { code: answer?.['code'], message: answer?.['message'] };
  const code = codeOf(words.code, `http_${status}`);
  if (status === 423)
    return forAll(events, {
      kind: 'retry',
      code,
      message: presentable(words.message, 'LinkedIn is busy with this account.'),
    });
  // A rule that was not made for the API, or is no longer there: no event is at fault, and all of them would be refused.
  if (
    (status === 400 || status === 422) &&
    RULE_AT_FAULT.test((textOf(words.message) ?? '').slice(0, MAX_TEXT))
  )
    return forAll(events, {
      kind: 'config',
      code,
      message: presentable(words.message, 'LinkedIn does not accept events for this conversion rule.'),
    });
  const named =
    status === 400 || status === 422 ? namedIn(textOf(words.message) ?? '') : new Map<number, string>();
  const isNamed = events.some((_, index) => named.has(index));
  if (!isNamed) return forAll(events, verdictOfStatus(response, events, words));
  return events.map((_, index): Verdict => {
    const refusal = named.get(index);
    if (refusal !== undefined)
      return { kind: 'refused', code, message: presentable(refusal, 'LinkedIn rejected this event.') };
    return batchRefused('LinkedIn');
  });
}

/** One status per event; an answer without them says yes to all. */
function taken(answer: JsonAnswer | null, events: readonly JsonObject[]): readonly Verdict[] {
  if (answer === null) return forAll(events, noVerdict('LinkedIn'));
  const elements = listOf(answer['elements']);
  return events.map((_, index): Verdict => {
    const element = objectOf(elements[index]);
    const status = integerOf(element?.['status']) ?? 201;
    if (status < 300) return { kind: 'delivered' };
    const error = objectOf(element?.['error']);
    const code = codeOf(error?.['code'], `http_${status}`);
    const message = presentable(error?.['message'] ?? element?.['message'], `LinkedIn says ${status}.`);
    const mayPass = status >= 500 || status === 408 || status === 423 || status === 429;
    return { kind: mayPass ? 'retry' : 'refused', code, message };
  });
}

/** @returns index in the request → LinkedIn's words about it */
function namedIn(message: string): ReadonlyMap<number, string> {
  const text = message.slice(0, MAX_TEXT);
  const named = new Map<number, string>();
  for (const [, index = '', words = ''] of text.matchAll(
    /Index: (\d{1,5}),\s*((?:(?!Index: \d)[\s\S]){0,1000})/g,
  ))
    named.set(Number(index), words);
  const [, indices] = /indices \[([\d,\s]{1,40000})\]/.exec(text) ?? [];
  for (const index of indices?.split(',') ?? []) named.set(Number(index), text);
  return named;
}
