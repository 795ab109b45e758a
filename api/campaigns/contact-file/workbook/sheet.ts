import type { CellReading } from './cell-text';

export interface SheetCells {
  /** As the spreadsheet numbers it, from 1. */
  row: number;
  /** From the first column; a hole is an empty cell. */
  cells: CellReading[];
}

/** One visible sheet of a workbook, of either format. */
export interface Sheet {
  rows: Iterable<SheetCells>;
  /** Rows after these were not read. */
  isCut: boolean;
}
