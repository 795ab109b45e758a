/** Formats an instant to the minute: `2026-11-23 02:30 UTC`. */
export const utcText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
