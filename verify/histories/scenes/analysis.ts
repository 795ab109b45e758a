/** Records calls whose conversation a language model analyses: at once, after failed attempts, or never. */
import { workflowId } from '../../../workflows/contract';
import type { Reply } from '../../../dev/model-stand-in/server';
import { numberEnding } from '../numbers';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

const READ = {
  text: JSON.stringify({
    summary: 'Read.',
    sentiment: 'neutral',
    outcome: 'interested',
    callback_requested: false,
    callback_at: null,
  }),
};

/** The model's replies in order, by name of the course. */
const COURSES: Readonly<Record<string, readonly Reply[]>> = {
  'call-read': [READ],
  'call-read-at-the-third-try': [{ status: 503 }, { status: 503 }, READ],
  'call-no-model-reads': [{ status: 400 }],
};

/** Runs the courses one after another, because they use the same model. */
export async function recordAnalysis(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  for (const [name, replies] of Object.entries(COURSES)) {
    stage.scriptModel(replies);
    const call = workflowId.call(await customer.dispatch(numberEnding(0)));
    await recording.keepClosed(name, call);
  }
  stage.scriptModel([{ ...READ, delayMs: 5_000 }]);
  const call = workflowId.call(await customer.dispatch(numberEnding(0)));
  await recording.untilSeen(call, 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-call-is-read', call);
}
