/** The time, injected: tests move it by hand. Epoch milliseconds. */
export type Clock = () => number;
