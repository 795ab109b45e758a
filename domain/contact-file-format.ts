/** Formats of contact files, which are detected by their content. */
export const CONTACT_FILE_FORMATS = ['csv', 'xlsx', 'xls'] as const;
export type ContactFileFormat = (typeof CONTACT_FILE_FORMATS)[number];
