import type { CellReading } from './cell-text';

export interface SheetCells {
  /** Row number in the spreadsheet, starting at 1. */
  row: number;
  /** Cells from the first column on; gaps are empty cells. */
  cells: CellReading[];
}

export interface Sheet {
  isHidden: boolean;
  rows: Iterable<SheetCells>;
  /** True if further rows were not read. */
  isCut: boolean;
}

/** Sorts visible sheets before hidden ones. */
export const visibleFirst = (one: { isHidden: boolean }, other: { isHidden: boolean }): number =>
  Number(one.isHidden) - Number(other.isHidden);
