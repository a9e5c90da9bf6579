import { Fragment } from 'react';

/** A sentence in which backticks mark code. */
export const Coded = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name, and the order is fixed
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
