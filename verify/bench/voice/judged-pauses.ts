/** Whether the agent took its caller's pauses for the end of a turn, as it logs them: only it knows for which silence it then waits. */
import Joi from 'joi';
import { PAUSE_JUDGED } from '../../../agent/session/turns/end-of-turn-model';

export interface JudgedPause {
  /** By `performance.now()` of this process. */
  atMs: number;
  /** The silence that ends the turn. */
  silenceMs: number;
}

const LINE = Joi.object<{ time: number; silence_ms: number }>({
  time: Joi.number().required(),
  silence_ms: Joi.number().required(),
})
  .required()
  .unknown();

/** Of one call, in order. `log` has a line of JSON for each event, and others. */
export const judgedPauses = (log: string, callId: string | undefined): JudgedPause[] =>
  log
    .split('\n')
    .filter((line) => line.includes(PAUSE_JUDGED) && line.includes(JSON.stringify(callId)))
    .map((line) => {
      const { time, silence_ms: silenceMs } = Joi.attempt(JSON.parse(line), LINE);
      return { atMs: time - performance.timeOrigin, silenceMs };
    });
