/** How long the contacts that are left take, such as `about 1 h 20 min`, if calls go on as in the last minute and each contact needs one. */
export function restAtPace(pending: number, callsPerMinute: number): string {
  if (pending === 0) return 'none left';
  if (callsPerMinute === 0) return '–';
  const minutes = Math.ceil(pending / callsPerMinute);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `about ${minutes} min`;
  return `about ${hours} h ${minutes % 60} min`;
}
