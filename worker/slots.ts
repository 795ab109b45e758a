/** A worker's slots, and the share that each kind of work can take (docs/scaling.md, "Slots of a worker"). */
import type { AtOnce } from '../activities/dependencies';

export interface WorkerSlots {
  /** Slots for workflow tasks. A task keeps its slot while its local activity runs. */
  workflowTasks: number;
  localActivities: number;
  activities: number;
}

export const slotOptions = (slots: WorkerSlots) => ({
  maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
  maxConcurrentLocalActivityExecutions: slots.localActivities,
  maxConcurrentActivityTaskExecutions: slots.activities,
});

/** Dials and brief waits together leave a quarter of the slots to tasks that only wait for Postgres. */
const DIALS = 1 / 2;
const BRIEF_WAITS = 1 / 4;
/** Deliveries and preparations leave a quarter of the slots to routes, analyses, e-mails and reconciliation. */
const DELIVERIES = 1 / 2;
const PREPARATIONS = 1 / 4;

export const atOnceWith = ({ workflowTasks, activities }: WorkerSlots): AtOnce => ({
  dials: Math.floor(workflowTasks * DIALS),
  briefWaits: Math.floor(workflowTasks * BRIEF_WAITS),
  deliveries: Math.floor(activities * DELIVERIES),
  preparations: Math.floor(activities * PREPARATIONS),
});
