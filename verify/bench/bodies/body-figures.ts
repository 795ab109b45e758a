import { figure, type Figure } from '../figure';
import { columns, number } from '../table';
import type { BodyMeasure } from './measure-bodies';

/** Beyond what the other client's requests wait anyway. */
const GOAL_MS = 100;

const longerMs = ({ longestMs, usualMs }: BodyMeasure): number => longestMs - usualMs;

export const bodyFigures = (measured: readonly BodyMeasure[]): Figure[] =>
  measured.map((each) => figure(`another client waits longer: ${each.name}`, longerMs(each), 'ms', GOAL_MS));

export function bodyTable(measured: readonly BodyMeasure[]): string {
  const rows = measured.map((each) => [
    each.name,
    each.statuses.join(', '),
    number(each.bytes),
    number(each.tookMs),
    number(each.stoodMs),
    number(longerMs(each)),
    longerMs(each) <= GOAL_MS ? 'holds' : 'DOES NOT HOLD',
  ]);
  const head = ['what is sent', 'answered', 'bytes', 'took ms', 'loop stood ms', 'others wait ms longer', ''];
  return columns([head, ...rows], [2, 3, 4, 5]);
}
