import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { liveCaptions } from '../api/live';
import { Empty } from '../parts/states';
import { Lines } from './lines';
import { afterFrame, NOTHING_SAID } from './live-lines';

type Connection = 'open' | 'over' | 'lost';

/** Shows a call's live captions. When the call ends, refetches its record and findings. */
export function LiveConversation({ callId }: { callId: string }) {
  const queries = useQueryClient();
  const [lines, setLines] = useState(NOTHING_SAID);
  const [connection, setConnection] = useState<Connection>('open');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    setLines(NOTHING_SAID);
    setConnection('open');
    const follow = async (): Promise<void> => {
      for await (const frame of liveCaptions(callId, { signal: stop.signal })) {
        setLines((before) => afterFrame(before, frame));
        if (frame.type === 'call_started') void queries.invalidateQueries({ queryKey: ['call', callId] });
      }
      setConnection('over');
      await queries.invalidateQueries({ queryKey: ['call', callId] });
    };
    follow().catch(() => {
      if (!stop.signal.aborted) setConnection('lost');
    });
    return () => stop.abort();
  }, [callId, queries, attempt]);

  return (
    <section className="card" aria-labelledby="conversation">
      <header>
        <h2 id="conversation">Conversation</h2>
        <div className="aside buttons">
          <span role="status">{WORDS[connection]}</span>
          {connection === 'lost' && (
            <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </button>
          )}
        </div>
      </header>
      {lines.said.length + lines.saying.length === 0 ? (
        <Empty title="Nothing has been said yet" />
      ) : (
        <Lines lines={lines.said} saying={lines.saying} current={-1} />
      )}
    </section>
  );
}

const WORDS: Record<Connection, string> = {
  open: 'Live',
  over: 'The call has ended',
  lost: 'Live captions disconnected',
};
