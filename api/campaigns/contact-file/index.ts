export { COLUMN_MEANINGS } from './header';
export { previewContactFile, type ContactFilePreview } from './preview';
export { readContactFile, type ReadContactFile } from './read-contact-file';
export {
  MAX_SHEET_ROWS,
  type Contact,
  type ContactFile,
  type ContactFileRefusal,
  type RowFault,
} from './result';
