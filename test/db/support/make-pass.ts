import { PASSES } from '../../../activities/reconciliation';
import type { PassContext } from '../../../activities/reconciliation/pass';

/** Runs one pass of the reconciliation by name. */
export function makePass(name: string, context: PassContext): Promise<void> {
  const pass = PASSES.find((each) => each.name === name);
  if (pass === undefined) throw new Error(`no pass is named ${name}`);
  return pass.run(context);
}
