/**
 * Measures how many calls per second the database can end, for one organization and for twenty. All ends of an organization lock the same
 * row in turn.
 */
import { endCall } from '../../db/calls/ends';
import {
  claimPage,
  type LineDecision,
  recordPlaced,
  registerWaiting,
  startDial,
} from '../../db/calls/engine';
import { surveyCampaign } from '../../db/campaigns/engine';
import { type Db, openDatabase } from '../../db/kernel/connection';
import { ClosingOrder } from '../../dev/stack/closing';
import { callEndOf } from '../../domain/call-end';
import { type BareRun, startBareServers, unlessAborted } from './bare-servers';
import { type EndsPlan, type SeededCampaign, seedEnds } from './seed-ends';
import { figure, type Figure } from './figure';

const ONE_ORGANIZATION: EndsPlan = {
  organizations: 1,
  linesEach: 100,
  contacts: 40_000,
  endedBefore: 20_000,
};
const TWENTY_ORGANIZATIONS: EndsPlan = {
  organizations: 20,
  linesEach: 10,
  contacts: 40_000,
  endedBefore: 20_000,
};
/** Number of concurrent reports of ended calls at the API. */
const AT_ONCE = 50;
const CONNECTIONS = 16;
const MEASURED_MS = 5_000;
const WARM_UP_MS = 1_000;
/** Number of contacts that a campaign claims at once. */
const PAGE = 10;
const CHECK_AFTER_MS = 3_600_000;
const STATEMENT_TIMEOUT_MS = 60_000;

interface Rates {
  /** Ended calls per second, including granting the line to the next call. */
  ends: number;
  /** Calls per second through all steps: intent, placed, end. */
  calls: number;
}

export async function measureEnds(run: BareRun): Promise<Figure[]> {
  const oneUnsafe = await ratesOf(run, ONE_ORGANIZATION, { isDurable: false });
  const twentyUnsafe = await ratesOf(run, TWENTY_ORGANIZATIONS, { isDurable: false });
  const oneDurable = await ratesOf(run, ONE_ORGANIZATION, { isDurable: true });
  const twentyDurable = await ratesOf(run, TWENTY_ORGANIZATIONS, { isDurable: true });
  return [
    ...figuresOf('one organization', oneUnsafe, 1_000),
    ...figuresOf('20 organizations', twentyUnsafe, 3_000),
    ...figuresOf('one organization, each commit on disk', oneDurable, null),
    ...figuresOf('20 organizations, each commit on disk', twentyDurable, null),
  ];
}

function figuresOf(name: string, { ends, calls }: Rates, endsPerSecond: number | null): Figure[] {
  return [
    figure(
      `${name}: each ended call`,
      1000 / ends,
      'ms',
      endsPerSecond === null ? null : 1000 / endsPerSecond,
    ),
    figure(`${name}: ended calls`, ends, '1/s'),
    figure(`${name}: calls from intent to end`, calls, '1/s'),
  ];
}

async function ratesOf(run: BareRun, plan: EndsPlan, { isDurable }: { isDurable: boolean }): Promise<Rates> {
  const closing = new ClosingOrder();
  try {
    return await unlessAborted(measure(run, closing, plan, isDurable), run.signal);
  } finally {
    await closing.close();
  }
}

async function measure(
  run: BareRun,
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

/**
 * Calls that hold a line. A call that ends passes its line on. A campaign claims its next page when it is requested, one page at a time as
 * its workflow does.
 */
class Lines {
  private readonly holding: string[] = [];
  private readonly wanting: ((callId: string) => void)[] = [];
  private readonly feeding = new Map<string, Promise<void>>();

  constructor(
    private readonly db: Db,
    private readonly campaigns: readonly SeededCampaign[],
  ) {}

  async feedAll(): Promise<void> {
    for (const { campaignId } of this.campaigns) await this.feed(campaignId);
  }

  take(): Promise<string> {
    const callId = this.holding.shift();
    return callId === undefined
      ? new Promise((resolve) => this.wanting.push(resolve))
      : Promise.resolve(callId);
  }

  async handOver({ granted, refillCampaignId }: LineDecision): Promise<void> {
    this.hold(granted);
    if (refillCampaignId !== null) await this.feed(refillCampaignId);
  }

  private async feed(campaignId: string): Promise<void> {
    const page = (this.feeding.get(campaignId) ?? Promise.resolve()).then(() => this.claim(campaignId));
    this.feeding.set(campaignId, page);
    await page;
    if (this.feeding.get(campaignId) === page) this.feeding.delete(campaignId);
  }

  private async claim(campaignId: string): Promise<void> {
    const organizationId =
      this.campaigns.find((each) => each.campaignId === campaignId)?.organizationId ?? '';
    const now = Date.now();
    await surveyCampaign(this.db, campaignId, { now, checkAt: now + CHECK_AFTER_MS });
    const page = await claimPage(this.db, campaignId, {
      now,
      dialUntil: now + CHECK_AFTER_MS,
      limit: PAGE,
    });
    const waiting = await registerWaiting(
      this.db,
      organizationId,
      page.claimed.map(({ callId }) => callId),
      now,
    );
    this.hold([...page.granted, ...waiting.granted]);
  }

  private hold(granted: readonly string[]): void {
    for (const callId of granted) {
      const want = this.wanting.shift();
      if (want === undefined) this.holding.push(callId);
      else want(callId);
    }
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
      await lines.handOver(await step(await lines.take()));
      ended++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return (ended * 1000) / (performance.now() - from);
}

async function end(db: Db, callId: string): Promise<LineDecision> {
  const now = Date.now();
  const facts = callEndOf({ endReason: 'no_answer', endedAt: new Date(now).toISOString() }, 2);
  const decision = await endCall(db, callId, { ...facts, redial: false }, now);
  if (decision === null) throw new Error('a call with a line had already ended');
  return decision;
}

async function wholeCall(db: Db, callId: string): Promise<LineDecision> {
  const now = Date.now();
  const guards = {
    trunk: 'carrier',
    dialEveryMs: null,
    breakers: NO_BREAKERS,
    registryNotBefore: null,
    pendingDialMs: 0,
    deadlineMs: 60_000,
  };
  const { kind } = await startDial(db, callId, { now, notAfter: now + 3_000, guards });
  if (kind !== 'ask') throw new Error(`a call with a line could not be dialled: ${kind}`);
  await recordPlaced(
    db,
    callId,
    { carrierId: `carrier-${callId}`, from: null, deadlineAt: now + 60_000 },
    now,
  );
  return end(db, callId);
}

const NO_BREAKERS = {
  campaignSpendPerDay: null,
  organizationSpendPerDay: null,
  failureRate: null,
  failureDials: 20,
};
