/** How far a call has come on our side of the carrier; `docs/architecture.md` says what leads from one to the next. */
export type CallStage = 'claimed' | 'waiting' | 'granted' | 'asking' | 'placed' | 'over';
