import type { ReactNode } from 'react';
import type { Tone } from './bar';

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
