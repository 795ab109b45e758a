/** `short` is for every code change, `full` for the proof. */
export type PlanSize = 'full' | 'short';
