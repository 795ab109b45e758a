export const POST_PROCESSING_STATUSES = ['completed', 'not_processed', 'processing'] as const;
export type PostProcessingStatus = (typeof POST_PROCESSING_STATUSES)[number];
