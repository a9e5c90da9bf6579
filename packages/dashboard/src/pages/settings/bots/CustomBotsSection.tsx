import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CustomBot, customBotsQuery } from '../../../features/lists/custom-bots.ts';
import { intentName } from '../../../format/names.ts';
import { IconPlus } from '../../../parts/icons.tsx';
import { RowMenu } from '../../../parts/list/RowMenu.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { AddBotDialog, RemoveBotDialog } from './bot-dialogs.tsx';

/** The operator's additions to the bot list, for the whole installation. */
export function CustomBotsSection() {
  const { data, error, isPending, refetch } = useQuery(customBotsQuery());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<CustomBot | null>(null);
  return (
    <section id="own-bots" className="section" aria-label="Custom bots">
      <div className="settings-head">
        <div>
          <h2>Custom bots</h2>
          <p className="quiet">Bots that are on none of the published lists.</p>
        </div>
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <IconPlus />
          Add a bot
        </button>
      </div>
      <div>
        {isPending && <Skeleton lines={1} />}
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <p className="field-hint">No bots yet.</p>}
        {data !== undefined && data.length > 0 && (
          <ul className="list-sources" aria-label="Custom bots">
            {data.map((bot) => (
              <CustomBotRow key={bot.token} bot={bot} onRemove={() => setRemoving(bot)} />
            ))}
          </ul>
        )}
      </div>
      {adding && <AddBotDialog onClose={() => setAdding(false)} />}
      {removing !== null && <RemoveBotDialog bot={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

function CustomBotRow({ bot, onRemove }: { bot: CustomBot; onRemove: () => void }) {
  return (
    <li>
      <p className="list-source-head">
        <strong className="break">{bot.name}</strong>
        <RowMenu name={bot.name} actions={[{ label: 'Remove', onSelect: onRemove, isBad: true }]} />
      </p>
      <p className="list-source-foot">
        <span className="list-source-url" title={bot.token}>
          <code>{bot.token}</code> · {bot.vendor} · {intentName(bot.intent)}
        </span>
        <span>
          added <Time value={bot.added_at} form="ago" />
        </span>
      </p>
    </li>
  );
}
