/** How many calls a second the database ends, for one client and for twenty: all ends of a client take turns on its row. */
import {
  claimPage,
  endCall,
  recordPlaced,
  registerWaiting,
  startDial,
  type LineDecision,
} from '../../../db/calls/engine';
import { surveyCampaign } from '../../../db/campaigns/engine';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import type { OnProgress } from '../../../dev/progress';
import { ClosingOrder } from '../../../dev/stack/closing';
import type { Environment } from '../../../dev/stack/platform-environment';
import { callEndOf } from '../../../workflows/domain/call-end';
import { startBareServers } from '../bare-servers';
import { figure, type Figure } from '../figure';
import { unlessAborted } from '../unless-aborted';
import { seedEnds, type EndsPlan, type SeededCampaign } from './seed-ends';

export interface EndsRun {
  environment: Environment;
  say: (line: string) => void;
  onProgress: OnProgress;
  signal: AbortSignal;
}

const ONE_CLIENT: EndsPlan = { clients: 1, linesEach: 50, contacts: 40_000 };
const TWENTY_CLIENTS: EndsPlan = { clients: 20, linesEach: 10, contacts: 40_000 };
/** As many as two workers of the default size hold for it. */
const CONNECTIONS = 16;
const MEASURED_MS = 5_000;
const WARM_UP_MS = 1_000;
/** What a campaign's workflow claims at once. */
const PAGE = 10;
const LOOK_AFTER_MS = 3_600_000;
const STATEMENT_TIMEOUT_MS = 60_000;

interface Rates {
  /** Ended calls a second: the end, and the line of the next. */
  ends: number;
  /** Calls a second through all their steps at the database: intent, placed, end. */
  calls: number;
}

/** About a minute. */
export async function measureEnds(run: EndsRun): Promise<Figure[]> {
  const oneUnsafe = await ratesOf(run, ONE_CLIENT, { isDurable: false });
  const twentyUnsafe = await ratesOf(run, TWENTY_CLIENTS, { isDurable: false });
  const oneDurable = await ratesOf(run, ONE_CLIENT, { isDurable: true });
  const twentyDurable = await ratesOf(run, TWENTY_CLIENTS, { isDurable: true });
  return [
    ...figuresOf('one client', oneUnsafe, 1_000),
    ...figuresOf('20 clients', twentyUnsafe, 3_000),
    ...figuresOf('one client, each commit on disk', oneDurable, null),
    ...figuresOf('20 clients, each commit on disk', twentyDurable, null),
  ];
}

function figuresOf(name: string, { ends, calls }: Rates, endsASecond: number | null): Figure[] {
  return [
    figure(`${name}: each ended call`, 1000 / ends, 'ms', endsASecond === null ? null : 1000 / endsASecond),
    figure(`${name}: ended calls`, ends, '1/s'),
    figure(`${name}: calls from intent to end`, calls, '1/s'),
  ];
}

async function ratesOf(run: EndsRun, plan: EndsPlan, { isDurable }: { isDurable: boolean }): Promise<Rates> {
  const closing = new ClosingOrder();
  try {
    return await unlessAborted(measure(run, closing, plan, isDurable), run.signal);
  } finally {
    await closing.close();
  }
}

async function measure(
  run: EndsRun,
  closing: ClosingOrder,
  plan: EndsPlan,
  isDurable: boolean,
): Promise<Rates> {
  const servers = await startBareServers({
    ...run,
    closing,
    isDurable,
    onUnexpectedEnd: (reason) => run.say(`Postgres ended: ${reason}`),
  });
  const db = openDatabase({
    url: await servers.createDatabase('ends'),
    poolSize: CONNECTIONS,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench',
  });
  closing.add('the connections', () => db.destroy());
  const lines = new Lines(db, await seedEnds(db, plan));
  await lines.feedAll();
  await perSecond(lines, WARM_UP_MS, (callId) => end(db, callId));
  const ends = await perSecond(lines, MEASURED_MS, (callId) => end(db, callId));
  const calls = await perSecond(lines, MEASURED_MS, (callId) => wholeCall(db, callId));
  return { ends, calls };
}

/** The calls that hold a line. One that ends hands its line to the next; a campaign claims its next page when it is asked to. */
class Lines {
  private readonly holding: string[] = [];

  constructor(
    private readonly db: Db,
    private readonly campaigns: readonly SeededCampaign[],
  ) {}

  async feedAll(): Promise<void> {
    for (const { campaignId } of this.campaigns) await this.feed(campaignId);
  }

  take(): string | undefined {
    return this.holding.shift();
  }

  async handOver({ granted, refillCampaignId }: LineDecision): Promise<void> {
    this.holding.push(...granted);
    if (refillCampaignId !== null) await this.feed(refillCampaignId);
  }

  private async feed(campaignId: string): Promise<void> {
    const clientId = this.campaigns.find((each) => each.campaignId === campaignId)?.clientId ?? '';
    const now = Date.now();
    await surveyCampaign(this.db, campaignId, { now, lookAt: now + LOOK_AFTER_MS });
    const page = await claimPage(this.db, campaignId, {
      now,
      dialUntil: now + LOOK_AFTER_MS,
      limit: PAGE,
      isStillDue: () => true,
    });
    const waiting = await registerWaiting(
      this.db,
      clientId,
      page.claimed.map(({ callId }) => callId),
      now,
    );
    this.holding.push(...page.granted, ...waiting.granted);
  }
}

async function perSecond(
  lines: Lines,
  forMs: number,
  step: (callId: string) => Promise<LineDecision>,
): Promise<number> {
  const from = performance.now();
  let ended = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - from < forMs) {
      const callId = lines.take();
      if (callId === undefined) throw new Error('too few calls were prepared, or a line was not handed over');
      await lines.handOver(await step(callId));
      ended++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS / 2 }, loop));
  return (ended * 1000) / (performance.now() - from);
}

async function end(db: Db, callId: string): Promise<LineDecision> {
  const now = Date.now();
  const facts = callEndOf({ endReason: 'no_answer', endedAt: new Date(now).toISOString() }, 2);
  const decision = await endCall(db, callId, { ...facts, redial: false }, now);
  if (decision === null) throw new Error('a call that holds a line was over');
  return decision;
}

async function wholeCall(db: Db, callId: string): Promise<LineDecision> {
  const now = Date.now();
  const guards = {
    trunk: 'carrier',
    dialEveryMs: null,
    brakes: NO_BRAKES,
    registryNotBefore: null,
    settlesMs: 0,
  };
  const { kind } = await startDial(db, callId, { now, notAfter: now + 3_000, guards });
  if (kind !== 'ask') throw new Error(`a call that holds a line may not be dialled: ${kind}`);
  await recordPlaced(db, callId, { carrierId: `carrier-${callId}`, from: null }, now);
  return end(db, callId);
}

const NO_BRAKES = { campaignSpendPerDay: null, clientSpendPerDay: null, failureRate: null, failureDials: 20 };
