/** What the API takes a column of a contact file for (api/campaigns/contact-file/header.ts, which a test compares). */

export type Meaning = 'name' | 'phone number' | 'variable' | 'unclear';

const ALIASES: Record<'name' | 'phone number', readonly string[]> = {
  name: ['name', 'contactname', 'customername', 'fullname'],
  'phone number': ['phonenumber', 'phone', 'mobile', 'contact', 'contactnumber', 'mobilenumber'],
};

/** `unclear`: the header is empty, or a second one of its kind. */
export function meaningsOf(header: readonly string[]): Meaning[] {
  const taken = new Set<string>();
  return header.map((title) => {
    const bare = title.toLowerCase().replace(/[\s\-_]/g, '');
    const required = ALIASES.name.includes(bare)
      ? 'name'
      : ALIASES['phone number'].includes(bare)
        ? 'phone number'
        : null;
    const kind = required ?? title;
    if (title === '' || taken.has(kind)) return 'unclear';
    taken.add(kind);
    return required ?? 'variable';
  });
}

export const missingOf = (meanings: readonly Meaning[]): ('name' | 'phone number')[] =>
  (['name', 'phone number'] as const).filter((each) => !meanings.includes(each));
