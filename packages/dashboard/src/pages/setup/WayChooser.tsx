import { useSources } from '../../parts/useSources.ts';
import { TRY_IT } from './search.ts';

export function WayChooser({ way, onChoose }: { way: string; onChoose: (way: string) => void }) {
  const choices = [
    ...useSources().map(({ title, setup }) => ({ way: setup.slug, title, about: setup.about })),
    { way: TRY_IT, title: 'Just try it', about: 'One command posts one visit. See it live in two seconds.' },
  ];
  return (
    <fieldset className="ways">
      <legend className="visually-hidden">How the traffic comes here</legend>
      {choices.map((choice) => (
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
