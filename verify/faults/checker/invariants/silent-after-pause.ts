/**
 * 4. No dial after an acknowledged pause or cancel. This applies from the response to a pause, cancel or edit (which pauses) until a resume
 * is sent. A resume that overlaps the pause may take effect after it.
 */
import { isoOf } from '../instant';
import type { Asked } from '../requests';
import type { Run } from '../run';

interface Silence {
  request: Asked;
  fromMs: number;
  untilMs: number;
}

export function silentAfterPause(run: Run): string[] {
  const silences = silencesOf(run.asked);
  return run.dials.flatMap((dial) => {
    const broken = silences.find(
      ({ request, fromMs, untilMs }) =>
        request.campaignId === dial.campaignId && dial.placedMs > fromMs && dial.placedMs < untilMs,
    );
    if (broken === undefined) return [];
    const { request, fromMs } = broken;
    return `call ${dial.reference} of campaign ${dial.campaignId} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), after its ${request.kind} was acknowledged at ${isoOf(fromMs)} (acknowledged.jsonl:${request.line})`;
  });
}

function silencesOf(asked: readonly Asked[]): Silence[] {
  return asked
    .filter(
      ({ kind, acknowledged }) => acknowledged && (kind === 'pause' || kind === 'cancel' || kind === 'edit'),
    )
    .map((request) => ({ request, fromMs: request.effectByMs, untilMs: endOf(request, asked) }));
}

/** Nothing resumes a cancelled campaign, so it never dials again. */
function endOf(silencing: Asked, asked: readonly Asked[]): number {
  if (silencing.kind === 'cancel') return Infinity;
  const resume = asked.find(
    ({ kind, campaignId, effectByMs }) =>
      kind === 'resume' && campaignId === silencing.campaignId && effectByMs > silencing.sentMs,
  );
  return resume?.sentMs ?? Infinity;
}
