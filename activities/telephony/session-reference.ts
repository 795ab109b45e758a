/** Reference of a browser session, which is also the name of its room. */
const SESSION_REFERENCE = /^room_\d{10}-[0-9a-f]{32}$/;

export const isSession = (reference: string): boolean => SESSION_REFERENCE.test(reference);
