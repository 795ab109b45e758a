import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const EACH = / *<!-- each 486 -->\n([^]*?) *<!-- end of each 486 -->\n/;

/** Returns `phones.xml` with the section for rejections repeated for each status. */
export function phonesScenario(statuses: readonly number[]): string {
  const pattern = readFileSync(join(__dirname, '..', 'phones.xml'), 'utf8');
  return pattern.replace(EACH, (_whole, part: string) =>
    statuses.map((status) => part.replaceAll('486', String(status))).join(''),
  );
}
