export const TEXTBOOK_TASK_QUEUE = 'textbook';
