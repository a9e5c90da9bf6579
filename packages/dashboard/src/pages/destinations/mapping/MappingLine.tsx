import { topicName } from '../../../features/conversions/topics.ts';
import type { EventRules } from '../../../features/destinations/api.ts';
import { Problem } from '../../../parts/Field.tsx';
import { IconCross } from '../../../parts/icons.tsx';
import { Mark, type Tone } from '../../../parts/Sign.tsx';
import type { Effect, MappingRow } from '../model/mapping.ts';

/** Special values of the menu; no event name begins with a space. */
const STANDARD = ' standard';
const OTHER = ' other';
const OFF = ' off';

interface MappingLineProps {
  row: MappingRow;
  rules: EventRules;
  message: string | undefined;
  onChoose: (chosen: string | null | undefined) => void;
}

/** A topic or custom event with its mapping and the control to change it. */
export function MappingLine({ row, rules, message, onChoose }: MappingLineProps) {
  const { chosen, eventName, standard, effect } = row;
  const name = eventName ?? topicName(row.topic);
  const isOther = typeof chosen === 'string' && !rules.choices.includes(chosen);
  const value = chosen === undefined ? STANDARD : chosen === null ? OFF : isOther ? OTHER : chosen;
  const choose = (picked: string) =>
    onChoose(picked === STANDARD ? undefined : picked === OFF ? null : picked === OTHER ? '' : picked);
  return (
    <li className="mapping-line" data-custom={eventName !== null}>
      <div className="mapping-name">
        {eventName === null ? <strong>{name}</strong> : <code className="break">{name}</code>}
        {eventName !== null && <span className="quiet">custom event</span>}
        {eventName === null && row.topic === 'custom' && <span className="quiet">all others</span>}
      </div>
      <Mark {...effectWords(effect)} />
      {standard.is === 'unsupported' ? (
        <p className="quiet mapping-choice">The platform has no such event.</p>
      ) : (
        <div className="mapping-choice">
          <select
            className="input select"
            aria-label={`${name} is sent as`}
            value={value}
            onChange={(event) => choose(event.target.value)}
          >
            <option value={STANDARD}>{standardWords(standard)}</option>
            {rules.choices.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
            <option value={OTHER}>{rules.choices.length === 0 ? `${rules.label}…` : 'Another…'}</option>
            <option value={OFF}>Do not forward</option>
          </select>
          {isOther && (
            <input
              className="input mono"
              aria-label={`${rules.label} for ${name}`}
              aria-invalid={message !== undefined}
              autoCapitalize="none"
              spellCheck={false}
              maxLength={200}
              placeholder={`e.g. ${rules.example}`}
              value={chosen}
              onChange={(event) => onChoose(event.target.value)}
            />
          )}
          {message !== undefined && <Problem said={{ message, severity: 'error' }} />}
        </div>
      )}
      {eventName !== null && (
        <button
          type="button"
          className="icon-button mapping-remove"
          aria-label={`Remove the mapping of ${eventName}`}
          onClick={() => onChoose(undefined)}
        >
          <IconCross />
        </button>
      )}
    </li>
  );
}

function effectWords(effect: Effect): { tone: Tone; title: string } {
  switch (effect.is) {
    case 'name':
      return effect.name === ''
        ? { tone: 'wait', title: 'Name missing' }
        : { tone: 'good', title: effect.name };
    case 'own_name':
      return { tone: 'good', title: 'Own name' };
    case 'as':
      return { tone: 'good', title: `As ${topicName(effect.topic).toLowerCase()}` };
    case 'off':
      return { tone: 'off', title: 'Not forwarded' };
    case 'needs_mapping':
      return { tone: 'wait', title: 'Needs an event' };
    case 'unsupported':
      return { tone: 'off', title: 'Not possible' };
  }
}

function standardWords(standard: Effect): string {
  switch (standard.is) {
    case 'name':
      return `Default: ${standard.name}`;
    case 'own_name':
      return 'Default: own name';
    case 'as':
      return `Default: as ${topicName(standard.topic).toLowerCase()}`;
    case 'off':
      return 'Like custom events: not forwarded';
    default:
      return 'Choose…';
  }
}
