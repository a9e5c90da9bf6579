/**
 * Words and constructions that are out, and what to write instead (docs/writing.md). To add one, add a line.
 *
 * `out` is a regular expression without flags: letter case is ignored, a blank stands for any white space (a line break and the star of a
 * comment among it), and word boundaries are added at both ends. Only prose is searched: Markdown outside of code, comments, and strings
 * with a blank in them.
 *
 * `allow` lists legitimate uses: expressions that must match around the word, on its line or the two lines beside it. Keep them narrow.
 */
export interface Rule {
  out: string;
  instead: string;
  allow?: string[];
  /** Where the rule holds; everywhere when left out. */
  only?: 'docs';
}

export const RULES: Rule[] = [
  // Actors without a name.
  {
    out: "nobody(?:[’']s)?",
    instead: 'name the actor, or "no caller", "no one"',
    allow: ['nobody@shop\\.example'],
  },
  { out: "somebody(?:[’']s)?", instead: 'name the actor: a caller, an admin, another process' },
  { out: "anybody(?:[’']s)?", instead: 'anyone, any caller' },
  { out: "everybody(?:[’']s)?", instead: 'everyone, all callers', allow: ['Bcc: everybody@'] },
  { out: 'whoever|whomever|whosever', instead: 'name the actor: the caller, the operator' },
  { out: "strangers?(?:[’']s?)?", instead: 'an untrusted client, an outsider, an unauthenticated sender' },

  // Old or foreign turns of phrase.
  {
    out: 'told(?! apart)',
    instead: 'say what happens: "the app returns 404", "gets a message", "is reported"',
  },
  { out: 'for good', instead: 'permanently' },
  { out: 'mend(?:s|ed|ing)?', instead: 'fix, repair' },
  { out: 'anew', instead: 'again, from scratch' },
  { out: 'seldom(?:er)?', instead: 'rarely' },
  { out: 'of before', instead: 'earlier, previous, from before …' },
  { out: 'but for', instead: 'except for' },
  { out: 'in (?:the )?place of', instead: 'instead of' },
  { out: 'takes? the place of', instead: 'replaces' },
  { out: 'all the same', instead: 'anyway, nevertheless' },
  { out: 'in the like manner|likewise', instead: 'also, in the same way' },
  { out: 'by the clock', instead: 'on a schedule' },
  { out: 'short of breath', instead: 'under load' },
  { out: 'in other hands', instead: 'claimed by another node' },
  { out: 'everything of', instead: 'all data of' },
  { out: 'face of', instead: 'view of, or name the thing' },
  {
    out: '(?:the|a) lamp is (?:lit|on)|the light is on',
    instead: 'is running; receiving data',
    allow: ['\\.example'],
  },
  { out: 'in (?:their|its) masks?', instead: 'impersonators' },
  { out: 'is it well', instead: 'health checks' },
  { out: '(?:is|are|leaves?|be) (?:them )?in doubt', instead: 'has an unknown outcome' },

  // A term of the glossary instead of a private one.
  { out: 'judg(?:e|es|ed|ing|ment)', instead: 'evaluate, validate, classify, decide' },
  { out: 'believ(?:e|es|ed|ing)', instead: 'trust, accept; cache' },
  {
    out: 'seal(?:s|ed|ing|er)?',
    instead: 'encrypt',
    allow: [
      " as sealed'",
      '\\bseal (?:INTEGER|= )',
      ', seal\\)',
      'DROP COLUMN seal',
      'ADD COLUMN seal',
      'seal = \\?',
      "sealed = ''",
    ],
  },
  { out: 'reseal(?:s|ed|ing)?', instead: 're-encrypt with the current key' },
  { out: 'twins?', instead: 'backend' },
  { out: 'leash', instead: 'child reaper' },
  { out: 'look-?back windows?|look-backs?', instead: 'attribution window' },
  { out: "edge platforms?(?:[’']s)?", instead: 'Cloudflare' },
  { out: 'trials?', instead: 'test send', allow: ["'Trial started'"] },
  { out: 'stolen names?', instead: 'impersonated bots' },
  { out: 'on the wire', instead: 'in requests', only: 'docs' },

  // Sentences about things that stand, hear and speak.
  {
    out: 'stand(?:s|ing)? (?:in(?! for)|on|at|under|above|alone|there|here|beside|behind)',
    instead: 'is in, is at',
  },

  { out: '(?:is|are|was|were|be) away', instead: 'is down, is unreachable' },

  // Counting, and spelling (British with -ise).
  { out: '(?<!\\.)(?!http)[a-z]{3,}\\(s\\)', instead: 'the singular or the plural, chosen by the number' },
  {
    out: 'behaviors?|favor(?:s|ed|ite)?|gr[a]y|cancel(?:ed|ing)|label(?:ed|ing)|neighbor(?:s|ing)?',
    instead: 'British spelling: behaviour, favour, grey, cancelled, labelled, neighbour',
  },
  {
    out: '(?:recogn|normal|summar|material|minim|optim|priorit)iz(?:e|es|ed|ing)',
    instead: 'British spelling with -ise',
    allow: ['\\bas materialized \\(', 'OPTIMIZE (?:TABLE|ON)', 'MATERIALIZE COLUMN'],
  },
];

/** The longest line of documentation, in characters. */
export const MAX_COLUMNS = 140;

/** Files that are checked: paths from the root of the repository, `git ls-files` patterns. */
export const CHECKED = ['*.md', '*.ts', '*.tsx', '*.js', '*.mjs'];

/** Paths that are not: data and recordings, and this list, which names the words. */
export const UNCHECKED = [/^scripts\/prose\//, /\.gen\.ts$/, /\.golden\./];
