/** How much a worker does at once, and what part of it each kind of work may take (docs/production.md, "Slots of a worker"). */
import type { AtOnce } from '../activities/dependencies';

export interface WorkerSlots {
  /** Workflow tasks. One that runs a local activity keeps its slot until that is over. */
  workflowTasks: number;
  localActivities: number;
  activities: number;
}

export const slotOptions = (slots: WorkerSlots) => ({
  maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
  maxConcurrentLocalActivityExecutions: slots.localActivities,
  maxConcurrentActivityTaskExecutions: slots.activities,
});

/** Dials and brief waits together leave a quarter of the slots to tasks that wait for nobody but Postgres. */
const DIALS = 1 / 2;
const BRIEF_WAITS = 1 / 4;
/** Deliveries and preparations leave a quarter to everything else: routes, analyses, e-mails, reconciliation. */
const DELIVERIES = 1 / 2;
const PREPARATIONS = 1 / 4;

export const atOnceWith = ({ workflowTasks, activities }: WorkerSlots): AtOnce => ({
  dials: Math.floor(workflowTasks * DIALS),
  briefWaits: Math.floor(workflowTasks * BRIEF_WAITS),
  deliveries: Math.floor(activities * DELIVERIES),
  preparations: Math.floor(activities * PREPARATIONS),
});
