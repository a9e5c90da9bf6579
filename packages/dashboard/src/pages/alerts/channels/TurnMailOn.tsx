/** To the settings of the service's operator. */
export const TurnMailOn = () => (
  <a href="/docs/configuration#notes" target="_blank" rel="noopener">
    How to turn mail on
  </a>
);
