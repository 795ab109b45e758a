const MAX_LENGTH = 254;

/**
 * One address and nothing else: no name beside it, no second one behind a comma, no line break. Mail libraries read a list or a group
 * in a text that has one, and would send to all of it.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(text);
}

/** `Name <address>` or an address alone. Undefined for what is neither. */
export function readSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = ''] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [
    '',
    '',
    text.trim(),
  ];
  return isMailAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined;
}
