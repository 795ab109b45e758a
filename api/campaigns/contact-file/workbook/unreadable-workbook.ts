/** A workbook that is refused for a reason which people can act on; it is the message. */
export class UnreadableWorkbook extends Error {}
