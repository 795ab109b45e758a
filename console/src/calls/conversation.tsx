import type { Call, ChatMessage } from '../../../sdk/typescript/generated';
import { durationOf } from '../format/time';
import { Empty } from '../parts/states';
import { lineAt } from './waveform';

interface ConversationProps {
  call: Call;
  /** Where the recording is; null before it was heard. */
  heardMs: number | null;
  /** Without it there is nothing to hear. */
  onHear?: (ms: number) => void;
}

const SPEAKERS: Record<ChatMessage['role'], string> = { agent: 'Agent', user: 'Person', tool: 'Action' };

/** What was said, in step with the recording: a sentence that is clicked is heard. */
export function Conversation({ call, heardMs, onHear }: ConversationProps) {
  const lines = call.chat_history;
  const current = heardMs === null ? -1 : lineAt(lines, heardMs);
  return (
    <section className="card" aria-labelledby="conversation">
      <header>
        <h2 id="conversation">Conversation</h2>
        {onHear !== undefined && lines.length > 0 && (
          <span className="aside">Click a sentence to hear it</span>
        )}
      </header>
      {lines.length === 0 ? (
        <Empty title="Nothing was said" />
      ) : (
        <Lines lines={lines} current={current} {...(onHear && { onHear })} />
      )}
    </section>
  );
}

interface LinesProps {
  lines: readonly ChatMessage[];
  /** Index of the one that is heard; -1 for none. */
  current: number;
  onHear?: (ms: number) => void;
}

export function Lines({ lines, current, onHear }: LinesProps) {
  return (
    <ol className="body talk">
      {lines.map((line, index) => (
        <li key={index}>
          <Line line={line} isCurrent={index === current} {...(onHear && { onHear })} />
        </li>
      ))}
    </ol>
  );
}

interface LineProps {
  line: ChatMessage;
  isCurrent: boolean;
  onHear?: (ms: number) => void;
}

function Line({ line, isCurrent, onHear }: LineProps) {
  const said = (
    <>
      <span className="at">{durationOf(line.start_ms)}</span>
      <span className="by">{SPEAKERS[line.role]}</span>
      <span>
        {line.content}
        {line.interrupted && <span className="soft small"> (interrupted)</span>}
      </span>
    </>
  );
  return onHear === undefined ? (
    <div className={`line ${line.role}`}>{said}</div>
  ) : (
    <button
      type="button"
      className={`line ${line.role}`}
      aria-current={isCurrent}
      onClick={() => onHear(line.start_ms)}
    >
      {said}
    </button>
  );
}
