import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CampaignProgress } from '../../../sdk/typescript/generated';
import { spaced } from './spaced';

export type LiveState = 'connecting' | 'live' | 'off';

/** A campaign that dials changes several times a second: what is shown is read again less often than that. */
const READ_EVERY_MS = 3_000;

export interface Live {
  state: LiveState;
  /** What the last event said; null before the first one. */
  progress: CampaignProgress | null;
}

/**
 * Reads a stream of server-sent events and has what it concerns read again after a `progress`. The browser connects again by itself after
 * a break; what happened meanwhile is read on the reconnection, as the stream begins with an event.
 */
export function useProgress(path: string | null, concerned: QueryKey): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [progress, setProgress] = useState<CampaignProgress | null>(null);
  const key = JSON.stringify(concerned);
  useEffect(() => {
    if (path === null) {
      setState('off');
      return undefined;
    }
    const reading = spaced(READ_EVERY_MS, () => {
      void queries.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    });
    const source = new EventSource(path);
    source.onopen = () => setState('live');
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'off' : 'connecting');
    source.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      setProgress(JSON.parse(data) as CampaignProgress);
      reading.ask();
    });
    return () => {
      source.close();
      reading.stop();
      setProgress(null);
    };
  }, [path, key, queries]);
  return { state, progress };
}
