/** Which crawler a user agent says that it is, where no list knows it. */
import {
  compileTokens,
  embeddedSearchEngines,
  MAX_TOKEN_LENGTH,
  type ProgramName,
  programName,
  tokenFault,
} from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };

export interface CrawlerName extends ProgramName {
  /** What a list would look for; null: the name can't be one. */
  readonly token: string | null;
  /** Why not, to stand after "the token is"; null: it can. */
  readonly fault: string | null;
}

const searchEngines = compileTokens(embeddedSearchEngines().patterns);

/** @returns null for a crawler of a search engine, which is known, and where nothing is named */
export function crawlerName(userAgent: string): CrawlerName | null {
  if (searchEngines.match(userAgent) !== null) return null;
  const program = programName(userAgent);
  if (program === null) return null;
  const token = program.name.toLowerCase().slice(0, MAX_TOKEN_LENGTH);
  // A library's name is in the user agents of many programs.
  const fault =
    program.isNamed || program.contact !== '' ? tokenFault(token, userAgents.cases) : 'not that of a crawler';
  return { ...program, token: fault === null ? token : null, fault };
}
