/** A list in pieces of at most so many, in its order; none of an empty list. */
export const piecesOf = <T>(list: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / length) }, (_, piece) =>
    list.slice(piece * length, (piece + 1) * length),
  );
