import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { captions, type CaptionOptions } from '../../../sdk/typescript/captions';
import type { CampaignProgress, CaptionFrame } from '../../../sdk/typescript/generated';
import { throttle } from './throttle';

export type LiveState = 'connecting' | 'live' | 'off';

export interface Live {
  state: LiveState;
  /** Latest event of each campaign. Outdated while `state` is `off`. */
  progress: ReadonlyMap<string, CampaignProgress>;
  /** Reconnects after an error response, for instance while the API restarts. The browser doesn't retry error responses. */
  reconnect: () => void;
}

/** Throttles refetching, because a dialling campaign changes several times a second. */
const REFETCH_EVERY_MS = 3_000;

/**
 * Reads a stream of server-sent events and refetches the queries under `affected` after each `progress` event. The browser reconnects by
 * itself. Each connection starts with an event, so changes during a gap are refetched too.
 */
export function useProgress(path: string, affected: QueryKey): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [progress, setProgress] = useState<Live['progress']>(new Map());
  const [attempt, setAttempt] = useState(1);
  const reconnect = useCallback(() => setAttempt((before) => before + 1), []);
  const key = JSON.stringify(affected);
  useEffect(() => {
    setState('connecting');
    const refetching = throttle(REFETCH_EVERY_MS, () => {
      void queries.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    });
    const latest = showPerFrame(setProgress);
    const source = new EventSource(path);
    source.onopen = () => setState('live');
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'off' : 'connecting');
    source.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      latest.add(JSON.parse(data) as CampaignProgress);
      refetching.request();
    });
    return () => {
      source.close();
      refetching.stop();
      latest.stop();
    };
  }, [path, key, queries, attempt]);
  return { state, progress, reconnect };
}

/** Renders at most once per animation frame, because a hundred campaigns send a hundred events a second. */
function showPerFrame(show: (progress: Live['progress']) => void) {
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

/** Yields the frames of a call's live captions until the call is over. The session's cookie authenticates the request. */
export function liveCaptions(callId: string, options: CaptionOptions): AsyncGenerator<CaptionFrame> {
  const origin = window.location.origin.replace(/^http/, 'ws');
  return captions(`${origin}/api/live-transcripts/ws/${encodeURIComponent(callId)}`, options);
}
