import type { ReactNode } from 'react';
import type { Tone } from './bar';

interface FigureProps {
  of: string;
  /** The colour of its part in the bar above. */
  tone?: Tone | 'left';
  /** Beside the figure, such as its share. */
  beside?: string | undefined;
  children: ReactNode;
}

/** One of a list of figures (`dl.key`). */
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
