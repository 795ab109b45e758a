/** An activity's result together with `asked`, the workflow state at the time the activity was scheduled. */
export interface Answer<Result, Asked> {
  result: Result;
  asked: Asked;
}

type Activity<Input, Result> = (input: Input) => Promise<Result>;

/**
 * Makes an activity return `asked` with its result, so that the history contains it. During a replay, the live state may already include
 * later signals or a later clock ("Workflow code and signals" in docs/architecture.md).
 */
export function withAsked<Input extends object, Result>(
  activity: Activity<Input, Result>,
): <Asked>(input: Input & { asked: Asked }) => Promise<Answer<Result, Asked>> {
  return async (input) => ({ result: await activity(input), asked: input.asked });
}

/**
 * Returns the current time for an activity's decisions: the later of the workflow's clock and the platform's clock. A retry after an outage
 * must not use the time before it, and in tests with time skipping the workflow's clock runs ahead.
 */
export function workflowTimeNow(workflowNow: number, clock: () => number): number {
  return Math.max(workflowNow, clock());
}
