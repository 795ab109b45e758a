import type { Ref } from 'react';
import type { ChatMessage } from '../../../sdk/typescript/generated';
import { durationOf } from '../format/time';
import { partsOf, secondsOf, responseTimesOf } from './transcript';

const SPEAKERS: Record<ChatMessage['role'], string> = { agent: 'Agent', user: 'Person', tool: 'Action' };
const NO_WORDS: ReadonlySet<string> = new Set();
const NO_LINES: readonly ChatMessage[] = [];

interface LinesProps {
  ref?: Ref<HTMLOListElement>;
  lines: readonly ChatMessage[];
  /** Lines that are still being spoken. */
  saying?: readonly ChatMessage[];
  /** Index of the line that is playing; -1 for none. */
  current: number;
  /** Label for the user's lines. Default: Person. */
  person?: string;
  /** Words to highlight. */
  words?: ReadonlySet<string>;
  /** Shows the response time after each of the agent's answers. */
  showsResponseTimes?: boolean;
  onHear?: (ms: number) => void;
}

export function Lines({
  ref,
  lines,
  saying = NO_LINES,
  current,
  person = SPEAKERS.user,
  words = NO_WORDS,
  showsResponseTimes = false,
  onHear,
}: LinesProps) {
  const responseTimes = responseTimesOf(showsResponseTimes ? lines : []);
  return (
    <ol className="body talk" ref={ref}>
      {[...lines, ...saying].map((line, index) => (
        // `aria-busy` makes screen readers wait for the whole line.
        <li key={index} aria-busy={index >= lines.length}>
          <Line
            line={line}
            speaker={line.role === 'user' ? person : SPEAKERS[line.role]}
            isCurrent={index === current}
            words={words}
            responseMs={responseTimes.get(index)}
            {...(onHear && { onHear })}
          />
        </li>
      ))}
    </ol>
  );
}

interface LineProps {
  line: ChatMessage;
  speaker: string;
  isCurrent: boolean;
  words: ReadonlySet<string>;
  /** Response time; undefined if the line isn't an answer. */
  responseMs: number | undefined;
  onHear?: (ms: number) => void;
}

function Line({ line, speaker, isCurrent, words, responseMs, onHear }: LineProps) {
  const said = (
    <>
      <span className="at">{durationOf(line.start_ms)}</span>
      <span className="by">{speaker}</span>
      <span>
        {partsOf(line.content, words).map(({ text, isWord }, index) =>
          isWord ? <mark key={index}>{text}</mark> : text,
        )}
        {line.interrupted && <span className="soft small"> (interrupted)</span>}
        {responseMs !== undefined && (
          <span className={`waited small ${isSlow(responseMs) ? 'slow' : ''}`}>
            {' '}
            after {secondsOf(responseMs)}
          </span>
        )}
      </span>
    </>
  );
  return onHear === undefined ? (
    <div className={`line ${line.role}`} tabIndex={words.size > 0 ? -1 : undefined}>
      {said}
    </div>
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

/** The evaluation of a call uses the same threshold. */
const isSlow = (responseMs: number): boolean => responseMs > 2_000;
