/** The lists of a made-up moment. The demo's crawlers come from the ranges that travel with the code: on its days those are always fresh. */
import { type CompiledLists, compileLists, embeddedListsReadAt } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';

/** @returns the lists of a moment (epoch milliseconds); those of one day at a time are kept, so ask in the order of time */
export function createDatedLists(): (at: number) => CompiledLists {
  let day = Number.NaN;
  let lists = compileLists(embeddedListsReadAt(0));
  return (at) => {
    const asked = Math.floor(at / DAY_MS);
    if (asked !== day) {
      day = asked;
      lists = compileLists(embeddedListsReadAt(at));
    }
    return lists;
  };
}
