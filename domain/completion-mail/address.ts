const MAX_LENGTH = 254;

/** Accepts exactly one address, without a name, comma or line break. Mail libraries would send to every address of a list. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(text);
}

/** Reads `Name <address>` or an address. Returns undefined for any other text. */
export function readSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = ''] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [
    '',
    '',
    text.trim(),
  ];
  return isMailAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined;
}
