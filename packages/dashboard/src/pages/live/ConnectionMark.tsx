import type { Connection } from './useLive.ts';

const SENTENCES: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  streaming: 'The last 30 minutes, as they arrive',
  polling: 'The last 30 minutes, renewed every 3 seconds',
  lost: 'The service can’t be reached; trying again',
};

export function ConnectionMark({ connection, paused }: { connection: Connection; paused: boolean }) {
  return (
    <span className="connection" data-state={paused ? 'paused' : connection}>
      <span className="connection-lamp" aria-hidden="true" />
      {paused ? 'Paused: new visits wait' : SENTENCES[connection]}
    </span>
  );
}
