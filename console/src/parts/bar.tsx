import type { ReactNode } from 'react';

export type Tone = 'done' | 'active' | 'open' | 'lost' | 'none';

interface Part {
  tone: Tone;
  value: number;
}

/** Stacked bar. Hidden from screen readers, because the text next to it says the same. */
export function Bar({ parts, whole }: { parts: readonly Part[]; whole: number }) {
  return (
    <div className="bar" aria-hidden="true">
      {parts.map(({ tone, value }) => (
        <span
          key={tone}
          className={tone}
          style={{ width: `${whole === 0 ? 0 : (Math.min(value, whole) / whole) * 100}%` }}
        />
      ))}
    </div>
  );
}

interface FigureProps {
  of: string;
  /** Colour of the matching part in the bar above. */
  tone?: Tone | 'left';
  /** Text next to the figure, for instance its share. */
  beside?: string | undefined;
  children: ReactNode;
}

/** An entry in a list of figures (`dl.key`). */
export function Figure({ of, tone, beside, children }: FigureProps) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>
        {children} {beside !== undefined && <small>{beside}</small>}
      </dd>
      {tone !== undefined && <i className={tone} aria-hidden="true" />}
    </div>
  );
}
