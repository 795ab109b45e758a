/** Progress of a call on our side. `docs/architecture.md` lists the transitions. */
export type CallStage = 'claimed' | 'waiting' | 'granted' | 'asking' | 'placed' | 'over';
