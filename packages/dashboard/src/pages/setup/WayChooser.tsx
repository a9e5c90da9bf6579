import type { Way } from './search.ts';

const CHOICES: readonly { way: Way; title: string; about: string }[] = [
  {
    way: 'worker',
    title: 'Edge worker',
    about: 'A small collector on your zone. Any plan; adds no latency; sees AI’s share of traffic.',
  },
  {
    way: 'logpush',
    title: 'Log push',
    about: 'The edge platform sends its logs. Nothing runs on your zone. Often an Enterprise feature.',
  },
  { way: 'curl', title: 'Just try it', about: 'One command posts one visit. See it live in two seconds.' },
];

export function WayChooser({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }) {
  return (
    <fieldset className="ways">
      <legend className="visually-hidden">How the traffic comes here</legend>
      {CHOICES.map((choice) => (
        <label key={choice.way} className="way" data-chosen={choice.way === way}>
          <input
            type="radio"
            name="way"
            value={choice.way}
            checked={choice.way === way}
            onChange={() => onChoose(choice.way)}
          />
          <span>
            <strong>{choice.title}</strong>
            <span className="way-about">{choice.about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
