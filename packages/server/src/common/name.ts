/** Names that people give to things, and that others read in lists, mails and audit rows. */
import { z } from '@hono/zod-openapi';

/** Line ends and tabs, other control characters, and the separators of lines and paragraphs. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/** Embeddings, overrides and isolates: with them a name is shown in another order than it is written, and so may the text after it. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/u;
/** A letter of a script whose words need joiners: Arabic and Indic ones, not Latin, Greek, Cyrillic or Han. */
const JOINING =
  /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Inherited}\p{Script=Common}]]/v;
const EMOJI_BEFORE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const EMOJI_AFTER = /\p{Extended_Pictographic}/u;
const BLACK_FLAG = '\u{1f3f4}';

const isVariation = (character: string): boolean => /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u.test(character);
const isTag = (character: string): boolean => /[\u{e0020}-\u{e007f}]/u.test(character);
const isJoiner = (character: string): boolean => character === '\u200d' || character === '\u200c';

/**
 * The text without characters that show nothing: two names that look the same are the same. What shapes its neighbours stays: joiners within
 * emoji and within Arabic and Indic words, variation selectors, the tags of a regional flag. Direction controls stay too, to be refused.
 */
export function withoutInvisible(text: string): string {
  const kept: string[] = [];
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const before = kept.at(-1);
    if (
      !/\p{Default_Ignorable_Code_Point}/u.test(character) ||
      DIRECTION.test(character) ||
      (before !== undefined && shapes(character, before, characters[index + 1] ?? ''))
    )
      kept.push(character);
  }
  return kept.join('');
}

function shapes(character: string, before: string, after: string): boolean {
  if (isJoiner(character)) {
    if (JOINING.test(before) && JOINING.test(after)) return true;
    return character === '\u200d' && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after);
  }
  if (isVariation(character)) return !isVariation(before) && !isJoiner(before) && before.trim() !== '';
  return isTag(character) && (before === BLACK_FLAG || isTag(before));
}

/** 1 to 100 characters that can be seen. Invisible ones are left out; control characters and those that turn the direction are refused. */
export const nameSchema = z
  .string()
  .trim()
  .refine(
    (text) => !CONTROL.test(text),
    'A name can’t contain control characters, such as line breaks and tabs.',
  )
  .refine(
    (text) => !DIRECTION.test(text),
    'A name can’t contain characters that change the direction of text.',
  )
  .overwrite(withoutInvisible)
  .trim()
  .min(1, 'Enter a name of 1 to 100 characters.')
  .max(100, 'At most 100 characters.');
