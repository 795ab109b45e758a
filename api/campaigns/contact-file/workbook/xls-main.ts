import { answerParent } from './answer-parent';
import { xlsSheets } from './xls-sheets';

answerParent(xlsSheets);
