/** Combines several measurements of the same kind. */
import { idealMakespanMs, idleLineMs, makespanMs, type CampaignCourse } from './campaign-course';
import type { RunRecord } from './histories';
import type { CampaignMeasurement } from './measure-campaign';
import { median } from './percentile';
import { pooledUsage, type Usage } from './usage';
import type { WakeUpStages } from './wake-up';

export interface LineTimes {
  /** Idle times of all lines between two calls. */
  idleMs: number[];
  /** Sum over all runs. */
  makespanMs: number;
  idealMs: number;
}

export function lineTimes(runs: readonly { course: CampaignCourse; lines: number }[]): LineTimes {
  const sum = (value: (course: CampaignCourse, lines: number) => number) =>
    runs.reduce((total, { course, lines }) => total + value(course, lines), 0);
  return {
    idleMs: runs.flatMap(({ course, lines }) => idleLineMs(course, lines)),
    makespanMs: sum(makespanMs),
    idealMs: sum(idealMakespanMs),
  };
}

export interface Cost {
  contacts: number;
  usage: Usage;
}

export function pooledCost(runs: readonly Cost[]): Cost {
  return {
    contacts: runs.reduce((sum, { contacts }) => sum + contacts, 0),
    usage: pooledUsage(runs.map(({ usage }) => usage)),
  };
}

export interface PooledCampaign extends Cost, LineTimes {
  firstDialMs: number;
  campaignRuns: RunRecord[];
  calls: RunRecord[];
}

export function pooledCampaign(runs: readonly CampaignMeasurement[]): PooledCampaign {
  return {
    ...pooledCost(runs),
    ...lineTimes(runs),
    firstDialMs: median(runs.map(({ firstDialMs }) => firstDialMs)),
    campaignRuns: runs.flatMap(({ campaignRuns }) => campaignRuns),
    calls: runs.flatMap(({ calls }) => calls),
  };
}

export function pooledStages(runs: readonly CampaignMeasurement[]): WakeUpStages {
  return {
    handOverMs: runs.flatMap(({ stages }) => stages.handOverMs),
    pickUpMs: runs.flatMap(({ stages }) => stages.pickUpMs),
    dialMs: runs.flatMap(({ stages }) => stages.dialMs),
  };
}
