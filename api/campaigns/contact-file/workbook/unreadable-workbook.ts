/** Rejects a workbook. The message is shown to people and says what they can do. */
export class UnreadableWorkbook extends Error {}
