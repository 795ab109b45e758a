/** What a workflow knew when it asked for a step: as the history has it, also where a replay knows more by then. */
export interface Answer<Result, Asked> {
  result: Result;
  asked: Asked;
}

type Activity<Input, Result> = (input: Input) => Promise<Result>;

/**
 * An activity that returns with its result what its workflow knew when it asked. A replay may know of more signals by then, or have a later
 * clock, and must not decide by those ("Workflow code and signals" in docs/architecture.md).
 */
export function withAsked<Input extends object, Result>(
  activity: Activity<Input, Result>,
): <Asked>(input: Input & { asked: Asked }) => Promise<Answer<Result, Asked>> {
  return async (input) => ({ result: await activity(input), asked: input.asked });
}
