import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { CampaignProgress } from '../../../sdk/typescript/generated';
import { spaced } from './spaced';

export type LiveState = 'connecting' | 'live' | 'off';

export interface Live {
  state: LiveState;
  /** What was sent last of each campaign; what it says is of now only while the stream is not off. */
  progress: ReadonlyMap<string, CampaignProgress>;
  /** After a refusal, such as of a service that is just starting again: the browser does not repeat those. */
  connectAgain: () => void;
}

/** A campaign that dials changes several times a second: what is shown is read again less often than that. */
const READ_EVERY_MS = 3_000;

/**
 * Reads a stream of server-sent events, and has what it concerns read again after a `progress`. The browser connects again by itself after
 * a break; what happened meanwhile is read on the reconnection, as the stream begins with an event.
 */
export function useProgress(path: string, concerned: QueryKey): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [progress, setProgress] = useState<Live['progress']>(new Map());
  const [attempt, setAttempt] = useState(1);
  const connectAgain = useCallback(() => setAttempt((before) => before + 1), []);
  const key = JSON.stringify(concerned);
  useEffect(() => {
    setState('connecting');
    const reading = spaced(READ_EVERY_MS, () => {
      void queries.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    });
    const latest = latestShown(setProgress);
    const source = new EventSource(path);
    source.onopen = () => setState('live');
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'off' : 'connecting');
    source.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      latest.add(JSON.parse(data) as CampaignProgress);
      reading.ask();
    });
    return () => {
      source.close();
      reading.stop();
      latest.stop();
    };
  }, [path, key, queries, attempt]);
  return { state, progress, connectAgain };
}

/** Of a hundred campaigns each sends an event a second: the page is drawn once for all that came since its last frame, and not in the background. */
function latestShown(show: (progress: Live['progress']) => void) {
  const latest = new Map<string, CampaignProgress>();
  let frame = 0;
  return {
    add(progress: CampaignProgress): void {
      latest.set(progress.campaign_id, progress);
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        show(new Map(latest));
      });
    },
    stop: (): void => cancelAnimationFrame(frame),
  };
}
