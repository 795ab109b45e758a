/** Plans one run from its seed alone, so that the same seed gives the same plan on every machine. */
import { Random } from '../random';
import {
  type CallerPlan,
  type CampaignPlan,
  type Command,
  type DispatchPlan,
  drawCampaigns,
  drawCommands,
  drawDispatches,
  type OrganizationPlan,
} from './campaigns';
import { drawFaults, type Fault, type PlanSize, type Replicas, type ShiftedClock } from './faults';

/** How the platform places calls. */
export type Telephony = 'http' | 'livekit';

export interface Plan extends Replicas {
  seed: number;
  telephony: Telephony;
  organizations: OrganizationPlan[];
  campaigns: CampaignPlan[];
  dispatches: DispatchPlan[];
  callers: CallerPlan[];
  /** Initial clock offsets in milliseconds. */
  clocks: Record<ShiftedClock, number>;
  /** Sorted by time. */
  faults: Fault[];
  commands: Command[];
  /** Number of history events after which a campaign's workflow continues as new. */
  continueAsNewAfterEvents: number;
}

export function drawPlan(seed: number, size: PlanSize): Plan {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const workers = random.chance(0.5) ? 2 : 1;
  const organizations = [
    { name: 'Tulsi Dental Care', maxConcurrency: random.between(4, 6), isCalled: false },
    { name: 'Neem Opticians', maxConcurrency: random.between(2, 4), isCalled: false },
  ];
  const campaigns = drawCampaigns(random, size, organizations);
  return {
    seed,
    telephony: 'http',
    ...{ apis: 1, workers, agents: 1 },
    organizations,
    campaigns,
    dispatches: drawDispatches(random, size),
    callers: [],
    clocks: {
      // The carrier's clock moves only forward (see `drawFaults`), so it usually starts behind.
      simulator: random.chance(0.5) ? random.between(-600_000, 120_000) : 0,
      api: random.chance(0.3) ? random.between(-600_000, 600_000) : 0,
      worker: random.chance(0.3) ? random.between(-600_000, 600_000) : 0,
    },
    faults: drawFaults(random, size, workers),
    commands: drawCommands(random, size, campaigns),
    continueAsNewAfterEvents: random.pick([40, 60, 100]),
  };
}
