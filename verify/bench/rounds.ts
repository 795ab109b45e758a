/** Alternates between the platform's campaign and the textbook program's, so that other load affects both. */
import type { Client } from '@temporalio/client';
import { RECONCILE_SCHEDULE_ID } from '../../workflows/contract';
import type { BenchStack } from './bench-stack';
import { measureCampaign, type CampaignSize, type CampaignMeasurement } from './measure-campaign';
import type { Textbook, TextbookMeasurement } from './textbook/measure-textbook';

export interface Round {
  ours: CampaignMeasurement;
  textbook: TextbookMeasurement;
}

export async function measureRounds(
  bench: BenchStack,
  textbook: Textbook,
  size: CampaignSize,
  rounds: number,
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(
      `Round ${round} of ${rounds}: ${size.contacts} calls by the platform, then by the textbook program.`,
    );
    const ours = await measureCampaign(bench, size);
    measured.push({
      ours,
      textbook: await withoutReconciliation(bench.temporal, () => textbook.measure(size)),
    });
  }
  return measured;
}

/** Pauses reconciliation, so that Temporal has no work for the idle platform. */
async function withoutReconciliation<T>(temporal: Client, work: () => Promise<T>): Promise<T> {
  const schedule = temporal.schedule.getHandle(RECONCILE_SCHEDULE_ID);
  await schedule.pause();
  try {
    return await work();
  } finally {
    await schedule.unpause();
  }
}
