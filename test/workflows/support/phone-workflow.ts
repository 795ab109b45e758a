import { proxyActivities, sleep } from '@temporalio/workflow';
import type { CarrierEndReason } from '../../../domain/call-outcome';

export interface PhoneCall {
  reference: string;
  carrierId: string;
  talkMs: number;
  endReason: CarrierEndReason;
}

export interface PhoneActivities {
  reportEnd(call: PhoneCall & { answeredAt: number; endedAt: number }): Promise<void>;
}

const carrier = proxyActivities<PhoneActivities>({ startToCloseTimeout: '30s' });

export async function phoneWorkflow(call: PhoneCall): Promise<void> {
  const answeredAt = Date.now();
  await sleep(call.talkMs);
  await carrier.reportEnd({ ...call, answeredAt, endedAt: Date.now() });
}
