/** `short` is for every change of the code, `full` for the proof. */
export type PlanSize = 'full' | 'short';
