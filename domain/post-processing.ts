/** Whether a call that is over was processed: its summary, its data and what came of it. */
export const POST_PROCESSING_STATUSES = ['completed', 'not_processed', 'processing'] as const;
export type PostProcessingStatus = (typeof POST_PROCESSING_STATUSES)[number];
