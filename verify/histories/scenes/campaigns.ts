/** Records whole campaigns, including every wait during which a deployment could happen. */
import { workflowId } from '../../../workflows/contract';
import { numberEnding, talkers } from '../customer';
import { otherCall, type Recording } from '../recording';
import type { Stage } from '../stage';

const ENDLESS = 73;
const LIVE = ['ringing', 'in progress'];

export async function recordCompleted(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const id = workflowId.campaign(await customer.createCampaign({ numbers: talkers(6), concurrency: 2 }));
  await recording.keepRuns('campaign-completed', id);
}

/** Records a campaign that sends an e-mail at its end. */
export async function recordWithMail(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const request = { numbers: talkers(1), concurrency: 1, notificationEmail: 'somebody@example.com' };
  const campaignId = await customer.createCampaign(request);
  await recording.keepRuns('campaign-with-an-e-mail', workflowId.campaign(campaignId));
  await recording.keepClosed('notification-sent', workflowId.notification(campaignId));
}

/** Records a campaign that is paused with live calls, edited, resumed and completed. */
export async function recordPaused(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const numbers = [numberEnding(0), numberEnding(0), ...talkers(4)];
  const campaignId = await customer.createCampaign({ numbers, concurrency: 2, campaignHook: '/accepts' });
  await customer.callTo(campaignId, numbers[0] ?? '', LIVE);
  await recording.keep('open-campaign-dials', workflowId.campaign(campaignId));
  await customer.command(campaignId, 'pause');
  await customer.callTo(campaignId, numbers[0] ?? '', ['completed']);
  await recording.keep('open-campaign-is-paused', workflowId.campaign(campaignId));
  await customer.change(campaignId, { concurrency: 3 });
  await customer.command(campaignId, 'resume');
  await recording.keepRuns('campaign-paused-and-changed', workflowId.campaign(campaignId));
}

/** Records a campaign that an API client cancels: live calls end, and waiting contacts are withdrawn. */
export async function recordCancelled(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const numbers = talkers(4);
  const campaignId = await customer.createCampaign({ numbers, concurrency: 1, campaignHook: '/accepts' });
  const talking = await customer.callTo(campaignId, numbers[0] ?? '', LIVE);
  const waiting = await otherCall(stage.temporal.workflow, campaignId, talking);
  await recording.keep('open-call-waits', waiting);
  await customer.command(campaignId, 'cancel');
  await recording.keepRuns('campaign-cancelled', workflowId.campaign(campaignId));
  await recording.keepClosed('call-withdrawn', waiting);
}

export async function recordCancelledByOperator(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const numbers = talkers(4);
  const campaignId = await customer.createCampaign({ numbers, concurrency: 1 });
  await customer.callTo(campaignId, numbers[0] ?? '', LIVE);
  await stage.temporal.workflow.getHandle(workflowId.campaign(campaignId)).cancel();
  await recording.keepRuns('campaign-cancelled-by-operator', workflowId.campaign(campaignId));
}

/** Records a campaign whose last window closes before all contacts were reached. Takes up to two minutes. */
export async function recordExpired(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const numbers = [numberEnding(ENDLESS), ...talkers(2)];
  const endTime = new Date(Date.now() + 75_000).toISOString().slice(11, 16);
  if (endTime < '00:02')
    throw new Error('the recording cannot start within the last two minutes of a day (UTC)');
  const campaignId = await customer.createCampaign({
    numbers,
    concurrency: 1,
    toDay: 0,
    endTime,
    campaignHook: '/late',
  });
  const talking = await customer.callTo(campaignId, numbers[0] ?? '', ['in progress']);
  await recording.keep('open-call-talks', workflowId.call(talking));
  const waiting = await otherCall(stage.temporal.workflow, campaignId, talking);
  await recording.keepClosed('call-expired', waiting);
  await customer.hangUp(talking);
  await recording.keepRuns('campaign-expired', workflowId.campaign(campaignId));
}

/** Records two contacts that don't answer and are redialled after a minute. */
export async function recordRedial(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const numbers = [numberEnding(75), numberEnding(85)];
  const campaignId = await customer.createCampaign({
    numbers,
    concurrency: 2,
    maxRetries: 2,
    retryDelayMins: 1,
  });
  for (const number of numbers) await customer.callTo(campaignId, number, ['no answer', 'busy']);
  const id = workflowId.campaign(campaignId);
  await recording.keep('open-campaign-waits-for-a-redial', id);
  await recording.keepRuns('campaign-redials', id);
}

/** Records waits that last for hours. */
export async function recordRests(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const scheduled = await customer.createCampaign({
    numbers: talkers(1),
    concurrency: 1,
    fromDay: 2,
    toDay: 3,
  });
  const hour = (new Date().getUTCHours() + 2) % 24;
  const at = (hours: number): string => `${String(hours).padStart(2, '0')}:00`;
  const resting = await customer.createCampaign({
    numbers: talkers(1),
    concurrency: 1,
    startTime: at(hour),
    endTime: at(hour + 1),
  });
  for (const [name, campaignId] of Object.entries({ scheduled, resting })) {
    await recording.untilSeen(workflowId.campaign(campaignId), 'TIMER_STARTED');
    await recording.keep(`open-campaign-${name}`, workflowId.campaign(campaignId));
    await customer.command(campaignId, 'cancel');
  }
  await recording.keepClosed('campaign-cancelled-before-its-time', workflowId.campaign(scheduled));
}
