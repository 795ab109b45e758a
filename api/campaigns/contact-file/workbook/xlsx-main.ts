import { answerParent } from './read-workbook';
import { xlsxSheets } from './xlsx-sheets';

answerParent(xlsxSheets);
