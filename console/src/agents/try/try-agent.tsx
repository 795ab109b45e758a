import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Lines } from '../../calls/lines';
import type { LiveLines } from '../../calls/live-lines';
import { durationOf } from '../../format/time';
import { isConversing, useTrySession, type SessionView } from './use-try-session';
import { lackingText, modelsText, type Abilities } from './words';
import { Link } from '@tanstack/react-router';

interface TryAgentProps {
  agentId: string;
  name: string;
  /** Renders the field that selects the agent. It must be disabled during a session. */
  choice?: (isRunning: boolean) => ReactNode;
}

/** Panel for talking or typing to an agent. */
export function TryAgent({ agentId, name, choice }: TryAgentProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const session = useTrySession({ id: agentId, name }, audio);
  const { view } = session;
  return (
    <div className="body try">
      <div className="choosing">
        {choice?.(view.isRunning)}
        <Buttons view={view} onStart={(speaks) => void session.start(speaks)} onStop={session.stop} />
      </div>
      <p className="soft small">The session uses the saved version of the agent and is billed like a call.</p>
      <div className={`now ${view.tone}`}>
        <span className="dot" aria-hidden="true" />
        <p role="status">{view.text}</p>
        {view.talkingSince !== null && <Clock since={view.talkingSince} />}
      </div>
      {view.isRunning && view.withMicrophone && <Microphone view={view} onMute={session.setMuted} />}
      {view.isBlocked && (
        <button type="button" className="button" onClick={session.unblock}>
          Play the agent’s voice
        </button>
      )}
      {view.abilities !== null && <AbilitiesOf abilities={view.abilities} />}
      {view.problem !== null && (
        <div className="note bad" role="alert">
          {view.problem}
        </div>
      )}
      {view.lines !== null && <Captions lines={view.lines} />}
      {view.isRunning && view.lines !== null && <Message view={view} onSay={session.say} />}
      <audio ref={audio} autoPlay />
    </div>
  );
}

interface ButtonsProps {
  view: SessionView;
  onStart: (withMicrophone: boolean) => void;
  onStop: () => void;
}

/** Moves the focus to the button that replaces the pressed one. */
function Buttons({ view: { isRunning, withMicrophone }, onStart, onStop }: ButtonsProps) {
  const next = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current !== isRunning) next.current?.focus();
    wasRunning.current = isRunning;
  }, [isRunning]);
  if (isRunning) {
    return (
      <button type="button" className="button danger" ref={next} onClick={onStop}>
        Stop
      </button>
    );
  }
  return (
    <div className="buttons">
      <button
        type="button"
        className="button primary"
        ref={withMicrophone ? next : null}
        onClick={() => onStart(true)}
      >
        Start talking
      </button>
      <button
        type="button"
        className="button"
        ref={withMicrophone ? null : next}
        onClick={() => onStart(false)}
      >
        Type instead
      </button>
    </div>
  );
}

function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="soft" role="timer" aria-label="Elapsed time">
      {durationOf(Math.max(0, now - since))}
    </span>
  );
}

function Microphone({ view, onMute }: { view: SessionView; onMute: (isMuted: boolean) => void }) {
  const { isMuted, level } = view;
  return (
    <div className="microphone">
      <button type="button" className="button" aria-pressed={isMuted} onClick={() => onMute(!isMuted)}>
        Mute
      </button>
      <div
        className="level"
        role="meter"
        aria-label="Microphone level"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(level * 100)}
      >
        <div style={{ transform: `scaleX(${level.toFixed(2)})` }} />
      </div>
    </div>
  );
}

function AbilitiesOf({ abilities }: { abilities: Abilities }) {
  const models = modelsText(abilities);
  const lacking = lackingText(abilities);
  return (
    <>
      {models !== null && <p className="soft small models">{models}</p>}
      {lacking !== null && (
        <div className="note wait" role="note" aria-label="What this agent can’t do">
          <p>{lacking.text}</p>
          <ul>
            {lacking.missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Captions({ lines: { said, saying, isThinking } }: { lines: LiveLines }) {
  const heading = useId();
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  }, [said, saying]);
  return (
    <>
      <h2 id={heading}>Captions</h2>
      {said.length + saying.length === 0 && <p className="soft small">The conversation will appear here.</p>}
      <div
        className="captions"
        role="log"
        aria-live="polite"
        aria-labelledby={heading}
        tabIndex={0}
        ref={log}
      >
        <Lines lines={said} saying={saying} current={-1} person="You" />
      </div>
      {isThinking && <p className="soft small">The agent is thinking…</p>}
    </>
  );
}

interface MessageProps {
  view: SessionView;
  onSay: (text: string) => Promise<boolean>;
}

function Message({ view, onSay }: MessageProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const canSend = isConversing(view);
  const isWriting = view.state === 'writing';
  // Focuses the field if the user chose to type.
  useEffect(() => {
    if (isWriting) field.current?.focus();
  }, [isWriting]);

  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const message = text.trim();
    if (message === '' || !canSend) return;
    setText('');
    field.current?.focus();
    if (!(await onSay(message))) setText((current) => (current === '' ? message : current));
  };

  return (
    <form className="field" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>Message</label>
      <div className="sending">
        <input
          id={id}
          ref={field}
          autoComplete="off"
          maxLength={2000}
          enterKeyHint="send"
          placeholder="Type what you want to say"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={!canSend}>
          Send
        </button>
      </div>
    </form>
  );
}

/** Panel for trying an agent next to its form. */
export function TryOut({ agentId, name }: { agentId: string; name: string }) {
  return (
    <section className="card try-out" aria-labelledby="try-out">
      <header>
        <h2 id="try-out">Try it</h2>
        <div className="aside">
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            search={(before) => ({ ...before, try: undefined })}
            resetScroll={false}
            className="button plain"
          >
            Close
          </Link>
        </div>
      </header>
      <TryAgent key={agentId} agentId={agentId} name={name} />
    </section>
  );
}
