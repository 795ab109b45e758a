import { useEffect, useRef, useState } from 'react';
import type { Call } from '../../../sdk/typescript/generated';
import { Empty } from '../parts/states';
import { Lines } from './lines';
import { lineAt, matchingSentences, wordsIn } from './transcript';

interface ConversationProps {
  call: Call;
  /** Playback position of the recording; null before the first playback. */
  heardMs: number | null;
  /** Words to highlight, from the search. */
  said: string | undefined;
  /** Undefined if there is no recording. */
  onHear?: (ms: number) => void;
}

/** Transcript that highlights the line being played. Clicking a sentence plays the recording from that point. */
export function Conversation({ call, heardMs, said, onHear }: ConversationProps) {
  const lines = call.chat_history;
  const words = wordsIn(said);
  const found = matchingSentences(
    lines.map(({ content }) => content),
    words,
  );
  const list = useRef<HTMLOListElement>(null);
  return (
    <section className="card" aria-labelledby="conversation">
      <header>
        <h2 id="conversation">Conversation</h2>
        {words.size > 0 && lines.length > 0 ? (
          <Found lines={found} of={said ?? ''} show={(line) => reveal(list.current, line)} />
        ) : (
          onHear !== undefined &&
          lines.length > 0 && <span className="aside">Click a sentence to hear it</span>
        )}
      </header>
      {lines.length === 0 ? (
        <Empty title="Nothing was said" />
      ) : (
        <Lines
          ref={list}
          lines={lines}
          current={heardMs === null ? -1 : lineAt(lines, heardMs)}
          words={words}
          showsResponseTimes
          {...(onHear && { onHear })}
        />
      )}
    </section>
  );
}

/** Scrolls the line into view and focuses it, so that Enter plays it. */
function reveal(list: HTMLOListElement | null, line: number): void {
  const shown = list?.children[line]?.firstElementChild;
  if (!(shown instanceof HTMLElement)) return;
  shown.scrollIntoView({ block: 'center' });
  shown.focus({ preventScroll: true });
}

interface FoundProps {
  /** Indexes of matching lines. */
  lines: readonly number[];
  of: string;
  show: (line: number) => void;
}

/** Steps through the matches, starting at the first. */
function Found({ lines, of, show }: FoundProps) {
  const [at, setAt] = useState(0);
  const showing = useRef(show);
  showing.current = show;
  const [first] = lines;
  useEffect(() => {
    // Waits for a frame, because the layout first moves the focus to the new page.
    const frame = requestAnimationFrame(() => {
      if (first !== undefined) showing.current(first);
    });
    return () => cancelAnimationFrame(frame);
  }, [first]);

  const next = (): void => {
    const following = (at + 1) % lines.length;
    setAt(following);
    const line = lines[following];
    if (line !== undefined) show(line);
  };
  return (
    <div className="aside buttons">
      <span role="status">
        {lines.length === 0
          ? `No sentence contains “${of}”`
          : `Match ${at + 1} of ${lines.length} for “${of}”`}
      </span>
      {lines.length > 1 && (
        <button type="button" className="button" onClick={next}>
          Next
        </button>
      )}
    </div>
  );
}
