/** Records accepted and rejected webhooks. Campaigns have separate delivery workflows; calls deliver within the call's workflow. */
import { workflowId } from '../../../workflows/contract';
import { deliveryOf } from '../children';
import { talkers } from '../numbers';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

export async function recordDeliveries(stage: Stage, recording: Recording): Promise<void> {
  await recordCampaignWith(stage, recording, '/accepts', 'accepted');
  await recordCampaignWith(stage, recording, '/late', 'accepted-late');
  await recordRefused(stage, recording);
}

async function recordCampaignWith(
  stage: Stage,
  recording: Recording,
  hook: string,
  name: string,
): Promise<void> {
  const customer = await stage.customer();
  const [number = ''] = talkers(1);
  const campaignId = await customer.createCampaign({
    numbers: [number],
    concurrency: 1,
    callHook: hook,
    campaignHook: hook,
  });
  const callId = await customer.callTo(campaignId, number, ['completed']);
  const delivery = await deliveryOf(stage.temporal.workflow, campaignId);
  await recording.keepClosed(`call-webhook-${name}`, workflowId.call(callId));
  await recording.keepClosed(`delivery-${name}`, delivery);
}

/** Records histories before the second attempt and between the later ones. */
async function recordRefused(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const [number = ''] = talkers(1);
  const campaignId = await customer.createCampaign({
    numbers: [number],
    concurrency: 1,
    callHook: '/refuses',
    campaignHook: '/refuses',
  });
  const callId = await customer.callTo(campaignId, number, ['completed']);
  await recording.untilSeen(workflowId.call(callId), '"startToFireTimeout":"5s"');
  await recording.keep('open-call-webhook-refused', workflowId.call(callId));
  const delivery = await deliveryOf(stage.temporal.workflow, campaignId);
  await recording.untilSeen(delivery, 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-delivery-refused', delivery);
  await recording.untilSeen(workflowId.call(callId), 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-call-webhook-refused-twice', workflowId.call(callId));
}
