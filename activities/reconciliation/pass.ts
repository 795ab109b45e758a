import type { resolvingActivities } from '../ending/resolving';
import type { ActivityDependencies } from '../dependencies';

/** Delays after which a message or an event is considered lost. */
export interface Lateness {
  /** Applies to a signal or to the start of a workflow. */
  lostMessageMs: number;
  /** Applies to a call without events. */
  silentMs: number;
}

export const ROUTINE: Lateness = { lostMessageMs: 3_000, silentMs: 20_000 };
/** After an outage, everything in progress is checked, because any event may have been missed. */
export const AFTER_AN_OUTAGE: Lateness = { lostMessageMs: 0, silentMs: 0 };

/** Dependencies of a pass, including the activities that calls also use. */
export interface PassContext extends ActivityDependencies, ReturnType<typeof resolvingActivities> {
  startedAt: number;
  lateness: Lateness;
  /** Returns whether the pass may start another item. The next run handles the rest. */
  hasTime: () => boolean;
  /** When this worker last listed all open workflows. The list is too long to read in every pass. */
  leftOpen: { checkedAt: number };
}

/** Finds and repairs one kind of overdue item. */
export interface Pass {
  /** Label in the pass's metrics. */
  name: string;
  /** Also runs in the catch-up after an outage, because waiting for the scheduled run would leave lines idle. */
  isUrgent: boolean;
  run: (context: PassContext) => Promise<void>;
}

interface Steps<Item> {
  name: string;
  isUrgent?: true;
  /** Finds the overdue items, either all at once or page by page. */
  find(context: PassContext): Promise<Item[]> | AsyncIterable<Item[]>;
  /** Must be safe to repeat. */
  repair(context: PassContext, item: Item): Promise<void>;
  /** Postpones the next check of some items of a page, so that the others are reached too. */
  postpone?: {
    which: 'all' | 'repaired' | 'failed';
    until(context: PassContext, items: readonly Item[]): Promise<void>;
  };
}

export const pass = <Item>({ name, isUrgent, ...steps }: Steps<Item>): Pass => ({
  name,
  isUrgent: isUrgent === true,
  run: (context) => walk(context, steps),
});

/** Repairs all items of all pages even if some repairs fail, and reports the failures at the end. */
async function walk<Item>(
  context: PassContext,
  { find, repair, postpone }: Omit<Steps<Item>, 'name' | 'isUrgent'>,
): Promise<void> {
  const failures: unknown[] = [];
  const found = find(context);
  for await (const page of Symbol.asyncIterator in found ? found : [found]) {
    const checked: Record<'all' | 'repaired' | 'failed', Item[]> = { all: [], repaired: [], failed: [] };
    for (const item of page) {
      if (!context.hasTime()) break;
      checked.all.push(item);
      try {
        await repair(context, item);
        checked.repaired.push(item);
      } catch (cause) {
        checked.failed.push(item);
        failures.push(cause);
      }
    }
    const postponed = postpone === undefined ? [] : checked[postpone.which];
    if (postponed.length > 0)
      await postpone?.until(context, postponed).catch((cause: unknown) => failures.push(cause));
    if (!context.hasTime()) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be repaired`);
}

/** Reads page after page, each starting after the last item of the previous one. */
export async function* pagesOf<Item>(read: (last: Item | null) => Promise<Item[]>): AsyncGenerator<Item[]> {
  let last: Item | null = null;
  for (;;) {
    const page: Item[] = await read(last);
    last = page.at(-1) ?? null;
    if (last === null) return;
    yield page;
  }
}
