import { Link } from '@tanstack/react-router';
import type { KeptConversation } from '../../../../sdk/typescript/generated';
import type { TurnResult } from './run';
import type { Run } from './use-runs';

interface ConversationRowProps {
  conversation: KeptConversation;
  run: Run | undefined;
  /** Undefined if the key lacks the scope or a conversation is already running. */
  onRun?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
}

export function ConversationRow({
  conversation: { title, turns },
  run,
  onRun,
  onEdit,
}: ConversationRowProps) {
  return (
    <li className="kept">
      <div className="row-of">
        <strong>{title}</strong>
        <span className="soft small">{turns.length === 1 ? 'One turn' : `${turns.length} turns`}</span>
        {run !== undefined && <Verdict of={run} />}
        <span className="aside buttons">
          {onRun !== undefined && (
            <button type="button" className="button" aria-label={`Run ${title}`} onClick={onRun}>
              Run
            </button>
          )}
          {onEdit !== undefined && (
            <button type="button" className="button" aria-label={`Edit ${title}`} onClick={onEdit}>
              Edit
            </button>
          )}
        </span>
      </div>
      {run !== undefined && <Result of={run} />}
    </li>
  );
}

const WORDS: Record<Run['state'], readonly [tone: string, words: string]> = {
  waiting: ['', 'Waiting'],
  running: ['live', 'Running'],
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  'not run': ['wait', 'Not run'],
};

function Verdict({ of: { state } }: { of: Run }) {
  const [tone, words] = WORDS[state];
  return (
    <span className={`badge ${tone}`} role="status">
      {words}
    </span>
  );
}

function Result({ of: { why, callId, turns } }: { of: Run }) {
  return (
    <>
      {turns.length > 0 && (
        <ol className="talk">
          {turns.map((turn, index) => (
            <li key={index}>
              <Turn of={turn} />
            </li>
          ))}
        </ol>
      )}
      {why !== null && <p className="note">{why}</p>}
      {callId !== null && (
        <Link to="/calls/$callId" params={{ callId }} className="small">
          View call
        </Link>
      )}
    </>
  );
}

function Turn({ of: { user, said, missed } }: { of: TurnResult }) {
  return (
    <>
      {user !== null && <Line by="Person" role="user" text={user} />}
      <Line by="Agent" role="agent" text={said === '' ? '(said nothing)' : said} />
      {missed.map((wish) => (
        <div key={wish} className="line missed">
          <span />
          <span className="by">Expected</span>
          <span>{wish}</span>
        </div>
      ))}
    </>
  );
}

function Line({ by, role, text }: { by: string; role: string; text: string }) {
  return (
    <div className={`line ${role}`}>
      <span />
      <span className="by">{by}</span>
      <span>{text}</span>
    </div>
  );
}
