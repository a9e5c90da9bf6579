interface ShowMoreProps {
  /** A list that the service pages. */
  list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** The way to the rows after these, while there are any. */
export function ShowMore({ list }: ShowMoreProps) {
  return list.hasNextPage ? (
    <button
      type="button"
      className="button more"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
    </button>
  ) : null;
}

/** `50 shown, there are more`, `12 in all`. */
export function countOfList(shown: number, { hasNextPage }: { readonly hasNextPage: boolean }): string {
  return `${shown.toLocaleString('en')}${hasNextPage ? ' shown, there are more' : ' in all'}`;
}
