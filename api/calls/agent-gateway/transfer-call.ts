import { setTimeout as sleep } from 'node:timers/promises';
import { storedCallContext } from '../../../db/calls/call-context';
import { dialEveryMs, ONLY_TRUNK } from '../../../db/calls/engine';
import { startTransfer, type TransferRefusal, type TransferRequest } from '../../../db/calls/transfers';
import type { Db } from '../../../db/kernel/connection';
import { effectiveConfig } from '../../../domain/effective-config';
import { mayTransferTo, readTransferDestination, type TransferRules } from '../../../domain/transfer';
import type { Clock } from '../../../runtime/clock';
import { callNotFound } from '../../http/errors/refusals';

export interface TransferDependencies {
  db: Db;
  clock: Clock;
  settings: TransferRules & {
    callsPerSecond: number;
    spendPerDay: { perCampaign: number; perOrganization: number };
    /** Credits per started minute. */
    creditsPerMinute: number;
    /** Minutes that a transfer adds to the spend, because its real length is unknown. */
    transferMinutes: number;
  };
}

type TransferAnswer = { transfer: true; to: string } | { transfer: false; reason: TransferRefusal };

/**
 * Decides whether the agent may transfer the call now, and to which address. Waits until the trunk's rate limit allows the transfer. Not
 * idempotent: each request is recorded as a transfer, so the agent doesn't retry.
 */
export async function transferCall(
  { db, clock, settings }: TransferDependencies,
  callId: string,
  to: string,
): Promise<TransferAnswer> {
  const stored = await storedCallContext(db, callId);
  if (stored === undefined) throw callNotFound();
  const reading = readTransferDestination(to, settings);
  const destination = 'address' in reading ? reading : null;
  const isNamed =
    destination !== null &&
    mayTransferTo(effectiveConfig(stored.config, stored.modifyAgent), destination, settings);
  const decision = await startTransfer(
    db,
    {
      callId,
      number: destination?.number ?? null,
      fault: destination === null ? 'destination' : isNamed ? null : 'not_configured',
      shown: destination?.shown ?? 'unreadable',
      credits: settings.creditsPerMinute * settings.transferMinutes,
      guards: guardsOf(settings),
    },
    clock.now(),
  );
  if (decision.kind === 'unknown') throw callNotFound();
  if (decision.kind === 'refused') return { transfer: false, reason: decision.reason };
  if (destination === null) return { transfer: false, reason: 'destination' };
  await sleep(decision.waitMs);
  return { transfer: true, to: destination.address };
}

const guardsOf = ({
  callsPerSecond,
  spendPerDay,
}: TransferDependencies['settings']): TransferRequest['guards'] => ({
  trunk: ONLY_TRUNK,
  dialEveryMs: dialEveryMs(callsPerSecond),
  // The carrier's failure rate on other dials says nothing about this one.
  breakers: {
    campaignSpendPerDay: spendPerDay.perCampaign,
    organizationSpendPerDay: spendPerDay.perOrganization,
    failureRate: null,
    failureDials: 1,
  },
});
