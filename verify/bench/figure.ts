/** A measured value. Goals are always upper bounds. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Null without a budget. */
  goal: number | null;
  /** Null without a goal. */
  holds: boolean | null;
}

const DIGITS = 1000;

/** Rounds to a thousandth before comparing, so that the printed value and the judged value agree. */
export function figure(name: string, value: number, unit: string, goal: number | null = null): Figure {
  if (!Number.isFinite(value)) throw new Error(`${name} could not be measured`);
  const rounded = Math.round(value * DIGITS) / DIGITS;
  return { name, value: rounded, unit, goal, holds: goal === null ? null : rounded <= goal };
}
