import { useEffect, useRef, useState, type RefObject } from 'react';
import { afterFrame, afterTyping, NOTHING_SAID, type LiveLines } from '../../calls/live-lines';
import { Session, type SessionEvents } from './session';
import { endText, problemText, STATES, type Abilities, type State, type Tone } from './words';

/** Everything that the panel shows about a session. */
export interface SessionView {
  isRunning: boolean;
  withMicrophone: boolean;
  state: State;
  tone: Tone;
  text: string;
  problem: string | null;
  talkingSince: number | null;
  isMuted: boolean;
  /** Microphone volume, from 0 to 1. */
  level: number;
  isBlocked: boolean;
  abilities: Abilities | null;
  /** Null until the call is waiting for the agent. */
  lines: LiveLines | null;
}

const IDLE: SessionView = {
  isRunning: false,
  withMicrophone: true,
  state: 'ready',
  tone: STATES.ready.tone,
  text: STATES.ready.text(''),
  problem: null,
  talkingSince: null,
  isMuted: false,
  level: 0,
  isBlocked: false,
  abilities: null,
  lines: null,
};

const STATES_WITH_CAPTIONS: readonly State[] = ['queued', 'calling', 'talking', 'writing'];
const CONVERSATION_STATES: readonly State[] = ['talking', 'writing'];
const FINAL_STATES: readonly State[] = ['stopping', 'ended', 'failed'];

export const isConversing = ({ state }: SessionView): boolean => CONVERSATION_STATES.includes(state);

/** Runs one session at a time. Unmounting the component or closing the page ends the session. */
export function useTrySession(
  agent: { id: string; name: string },
  audio: RefObject<HTMLAudioElement | null>,
) {
  const [view, setView] = useState(IDLE);
  const running = useRef<Session>(null);
  const newestSession = useRef(0);

  useEffect(() => {
    const leave = (): void => running.current?.leave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      running.current?.stop();
    };
  }, []);

  const start = async (withMicrophone: boolean): Promise<void> => {
    if (audio.current === null || running.current !== null) return;
    newestSession.current += 1;
    const ownNumber = newestSession.current;
    const change: Change = (changed) => {
      // Ignores captions of an earlier session. They can arrive up to a few seconds after its end.
      if (ownNumber === newestSession.current) setView((before) => ({ ...before, ...changed(before) }));
    };
    setView({ ...IDLE, isRunning: true, withMicrophone });
    const session = new Session({
      agentId: agent.id,
      withMicrophone,
      audio: audio.current,
      ...reportsTo(change, agent.name),
    });
    running.current = session;
    await showEnd(session, change, agent.name);
    running.current = null;
    change(() => ({ isRunning: false, isBlocked: false }));
  };

  /** Returns false if the text couldn't be sent. */
  const say = async (text: string): Promise<boolean> => {
    const isSent = (await running.current?.say(text)) === true;
    if (isSent)
      setView((before) => ({
        ...before,
        lines: afterTyping(before.lines ?? NOTHING_SAID, text, Date.now()),
      }));
    return isSent;
  };

  const setMuted = (isMuted: boolean): void => {
    running.current?.setMuted(isMuted);
    setView((before) => ({ ...before, isMuted }));
  };

  return {
    view,
    start,
    stop: () => running.current?.stop(),
    say,
    setMuted,
    unblock: () => running.current?.unblock(),
  };
}

type Change = (changed: (before: SessionView) => Partial<SessionView>) => void;

const reportsTo = (change: Change, agent: string): SessionEvents => ({
  onState: (state) => change((before) => inState(before, state, agent)),
  onCaption: (frame) => change(({ lines }) => ({ lines: afterFrame(lines ?? NOTHING_SAID, frame) })),
  onAbilities: (abilities) => change(() => ({ abilities })),
  onLevel: (level) => change(() => ({ level })),
  onBlocked: (isBlocked) => change(() => ({ isBlocked })),
});

async function showEnd({ result }: Session, change: Change, agent: string): Promise<void> {
  try {
    const call = await result;
    change((before) => ({
      ...inState(before, 'ended', agent),
      ...(call !== null && { text: endText(call) }),
    }));
  } catch (error) {
    change((before) => ({ ...inState(before, 'failed', agent), problem: problemText(error) }));
  }
}

function inState(before: SessionView, state: State, agent: string): Partial<SessionView> {
  const { tone, text } = STATES[state];
  return {
    state,
    tone,
    text: text(agent),
    ...(STATES_WITH_CAPTIONS.includes(state) && { lines: before.lines ?? NOTHING_SAID }),
    ...(CONVERSATION_STATES.includes(state) && { talkingSince: before.talkingSince ?? Date.now() }),
    ...(FINAL_STATES.includes(state) && { talkingSince: null }),
  };
}
