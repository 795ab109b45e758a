import type { CellReading } from './cell-text';

export interface SheetCells {
  /** As the spreadsheet numbers it, from 1. */
  row: number;
  /** From the first column; a hole is an empty cell. */
  cells: CellReading[];
}

/** A sheet of a workbook of either format. */
export interface Sheet {
  isHidden: boolean;
  rows: Iterable<SheetCells>;
  /** Rows after these were not read. */
  isCut: boolean;
}

/** Sorts visible sheets before hidden ones. */
export const visibleFirst = (one: { isHidden: boolean }, other: { isHidden: boolean }): number =>
  Number(one.isHidden) - Number(other.isHidden);
