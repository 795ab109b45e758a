/** Formats of contact files, which are detected by their content. */
export const CONTACT_FILE_FORMATS = ['csv', 'xlsx', 'xls'] as const;
export type ContactFileFormat = (typeof CONTACT_FILE_FORMATS)[number];

/** Sources of a campaign's contacts: a file in one of the formats, or a contact list. */
export const CONTACT_SOURCE_TYPES = [...CONTACT_FILE_FORMATS, 'list'] as const;
export type ContactSourceType = (typeof CONTACT_SOURCE_TYPES)[number];

/** Language of a contact, such as `hi` or `en-IN`. */
export const LANGUAGE_TAG = /^[A-Za-z0-9-]{1,35}$/;
