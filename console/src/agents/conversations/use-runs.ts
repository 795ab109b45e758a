import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../sdk/typescript/errors';
import type { KeptConversation } from '../../../../sdk/typescript/generated';
import { sentenceOf } from '../../parts/problem-text';
import { runConversation, type TurnResult } from './run';

export interface Run {
  state: 'waiting' | 'running' | 'passed' | 'failed' | 'not run';
  /** Reason why the conversation wasn't completed. */
  why: string | null;
  /** Null until the call exists. */
  callId: string | null;
  turns: readonly TurnResult[];
}

const WAITING: Run = { state: 'waiting', why: null, callId: null, turns: [] };

/** Results of the runs on this page, keyed by conversation. Editing a conversation creates a new object, so its result disappears. */
export type Runs = ReadonlyMap<KeptConversation, Run>;

interface Runner {
  runs: Runs;
  isRunning: boolean;
  /** Runs the conversations one after another, each in a new session. */
  start: (conversations: readonly KeptConversation[]) => void;
  stop: () => void;
}

export function useRuns({ agentId, language }: { agentId: string; language: string }): Runner {
  const [runs, setRuns] = useState<Runs>(new Map());
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(null);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);

  const change = (of: KeptConversation, changes: (before: Run) => Partial<Run>): void =>
    setRuns((before) => {
      const run = before.get(of) ?? WAITING;
      return new Map(before).set(of, { ...run, ...changes(run) });
    });

  async function runAll(conversations: readonly KeptConversation[], signal: AbortSignal): Promise<void> {
    for (const each of conversations) {
      change(each, () => (signal.aborted ? { state: 'not run', why: 'Stopped.' } : { state: 'running' }));
      if (signal.aborted) continue;
      try {
        const hasPassed = await runConversation(each, {
          agentId,
          language,
          signal,
          onCall: (callId) => change(each, () => ({ callId })),
          onTurn: (turn) => change(each, ({ turns }) => ({ turns: [...turns, turn] })),
        });
        change(each, () => ({ state: hasPassed ? 'passed' : 'failed' }));
      } catch (error) {
        change(each, () => ({ state: 'not run', why: signal.aborted ? 'Stopped.' : reasonOf(error) }));
      }
    }
  }

  const start = (conversations: readonly KeptConversation[]): void => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setRuns((before) => new Map([...before, ...conversations.map((each) => [each, WAITING] as const)]));
    void runAll(conversations, controller.signal).finally(() => setRunning(false));
  };
  return { runs, isRunning, start, stop };
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.code === 'REALTIME_NOT_CONFIGURED'
    ? 'Conversations run in browser sessions, which need a media server. Ask the operator to configure one.'
    : sentenceOf(error);
