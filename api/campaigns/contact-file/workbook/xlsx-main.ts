import { answerParent } from './answer-parent';
import { xlsxSheets } from './xlsx-sheets';

answerParent(xlsxSheets);
