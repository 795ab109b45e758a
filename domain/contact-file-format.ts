/** Formats of contact files, detected by content. */
export const CONTACT_FILE_FORMATS = ['csv', 'xlsx', 'xls'] as const;
export type ContactFileFormat = (typeof CONTACT_FILE_FORMATS)[number];
