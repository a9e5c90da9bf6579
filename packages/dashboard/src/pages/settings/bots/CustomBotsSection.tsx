import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CustomBot, customBotsQuery } from '../../../features/lists/custom-bots.ts';
import { intentName } from '../../../format/names.ts';
import { RowMenu } from '../../../parts/list/RowMenu.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { AddBotDialog, RemoveBotDialog } from './bot-dialogs.tsx';

/** The operator's additions to the bot list, for the whole installation. */
export function CustomBotsSection() {
  const { data, error, isPending, refetch } = useQuery(customBotsQuery());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<CustomBot | null>(null);
  if (isPending) return <Skeleton lines={3} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data.length === 0 ? (
        <p className="field-hint">
          No bots yet. A bot that you add is recognised in every property; by collectors within six hours.
        </p>
      ) : (
        <ul className="list-sources" aria-label="Custom bots">
          {data.map((bot) => (
            <CustomBotRow key={bot.token} bot={bot} onRemove={() => setRemoving(bot)} />
          ))}
        </ul>
      )}
      <p className="own-bots-add">
        <button type="button" className="button" onClick={() => setAdding(true)}>
          Add a bot
        </button>
      </p>
      {adding && <AddBotDialog onClose={() => setAdding(false)} />}
      {removing !== null && <RemoveBotDialog bot={removing} onClose={() => setRemoving(null)} />}
    </>
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
