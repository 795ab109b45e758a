/** Calls whose conversation is analysed by a language model: immediately, after failed attempts, and never. */
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

/** The model's replies, question by question. */
const COURSES: Readonly<Record<string, readonly Reply[]>> = {
  'call-read': [READ],
  'call-read-at-the-third-try': [{ status: 503 }, { status: 503 }, READ],
  'call-no-model-reads': [{ status: 400 }],
};

/** Runs the courses one after another, because they share the model. */
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
