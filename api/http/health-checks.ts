/** Checks whether the servers that the API depends on respond. */
import type { Db } from '../../db/kernel/connection';
import { onlyRow } from '../../db/kernel/query';

/** A standby answers queries but can't record anything. */
export async function isReadOnly(db: Db): Promise<boolean> {
  const { isReadOnly: answer } = await onlyRow<{ isReadOnly: boolean }>(
    db,
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  return answer;
}

export interface SharedCheckOptions {
  /** How long a result is reused, counted from the start of the check. */
  keptMs: number;
  now?: () => number;
}

/** Returns the result of the check in progress, or the latest one while it is fresh, so that at most one check runs at a time. */
export function sharedCheck<Answer>(
  look: () => Promise<Answer>,
  { keptMs, now = () => performance.now() }: SharedCheckOptions,
): () => Promise<Answer> {
  let latest: { at: number; isOver: boolean; answer: Promise<Answer> } | null = null;
  return () => {
    const at = now();
    if (latest !== null && (!latest.isOver || Math.abs(at - latest.at) < keptMs)) return latest.answer;
    const started = { at, isOver: false, answer: look() };
    const over = (): void => {
      started.isOver = true;
    };
    started.answer.then(over, over);
    latest = started;
    return started.answer;
  };
}
