/**
 * The program that a reader of Temporal's documentation would write first. The campaign counts lines and starts a child for each free one.
 * Each child runs three regular activities and waits for a signal. The program has no database and doesn't survive a crash.
 */
import { condition, defineSignal, proxyActivities, setHandler, startChild } from '@temporalio/workflow';
import type { TextbookActivities } from './activities';

interface TextbookCampaignInput {
  /** Prefix of the call ids. */
  name: string;
  contacts: number;
  lines: number;
}

export const endedSignal = defineSignal('ended');

const { dial, process, deliver } = proxyActivities<TextbookActivities>({ startToCloseTimeout: '15s' });

export async function textbookCampaign({ name, contacts, lines }: TextbookCampaignInput): Promise<void> {
  let live = 0;
  const results: Promise<void>[] = [];
  for (let nth = 0; nth < contacts; nth += 1) {
    await condition(() => live < lines);
    live += 1;
    const child = await startChild(textbookCall, { workflowId: `${name}-${nth}`, args: [nth] });
    results.push(child.result().finally(() => void (live -= 1)));
  }
  await Promise.all(results);
}

export async function textbookCall(nth: number): Promise<void> {
  let ended = false;
  setHandler(endedSignal, () => void (ended = true));
  await dial(nth);
  await condition(() => ended);
  const summary = await process(nth);
  await deliver(summary);
}

export const TEXTBOOK_TASK_QUEUE = 'textbook';
