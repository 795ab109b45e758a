import { answerParent } from './read-workbook';
import { xlsSheets } from './xls-sheets';

answerParent(xlsSheets);
