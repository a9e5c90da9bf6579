/** Makes untrusted text (paths, hosts, versions) safe to read. */

/** Direction marks and invisible characters: `/\u202egpj.exe` would be displayed as `/exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Invisible characters that are part of an emoji: its joiner, the tags of a regional flag. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*|[\u{e0020}-\u{e007e}]+\u{e007f})+/gu;
/** Encoded characters beyond ASCII. `%20`, `%2F` and `%25` differ in meaning from the character, and stay. */
const ENCODED =
  /%C[2-9A-F]%[89AB][\dA-F]|%D[\dA-F]%[89AB][\dA-F]|%E[\dA-F](?:%[89AB][\dA-F]){2}|%F[0-4](?:%[89AB][\dA-F]){3}/gi;

/** Writes invisible characters out: `⟨U+202E⟩`. */
export function visible(text: string): string {
  let seen = '';
  let from = 0;
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    seen += writtenOut(text.slice(from, index)) + emoji;
    from = index + emoji.length;
  }
  return seen + writtenOut(text.slice(from));
}

/** A readable path: `/m%C3%BCnchen` is `/münchen`. Bytes that are not UTF-8, such as `%E0` alone, stay encoded. */
export function readablePath(path: string): string {
  return visible(path.replace(ENCODED, decoded));
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Invalid in spite of its length: a surrogate or an overlong form.
    return encoded;
  }
}

const writtenOut = (text: string): string =>
  text.replace(
    UNSEEN,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/** The ends of an id of our own on one line: `cnv_2167de25…96928bd8`. The copy button has all of it. */
export function shortened(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 12)}…${id.slice(-8)}`;
}

/** Quotes any text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
